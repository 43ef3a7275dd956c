import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScratch } from './scratch.ts'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lathe-scratch-'))
})
afterEach(() => rm(dir, { recursive: true }))

describe('the scratch folder', () => {
  it('removes what it made and refuses every other path', async () => {
    await using scratch = await openScratch(join(dir, 'scratch'), undefined)
    const other = join(dir, 'other')
    await mkdir(other)
    await writeFile(join(other, 'precious'), 'x')
    const made = await scratch.createFolder('job')
    await scratch.remove(made)
    expect(await readdir(join(dir, 'scratch', scratch.name))).toEqual([])
    for (const path of [other, dir, join(made, '..'), join(made, '../..'), '/', `${made}/../../../other`]) {
      await expect(scratch.remove(path)).rejects.toThrow(/only folders of this scratch/)
    }
    expect(await readdir(other)).toEqual(['precious'])
  })

  it('deletes what a dead worker left, and keeps files of a live one', async () => {
    await using first = await openScratch(dir, undefined)
    const kept = await first.createFolder('job')
    const dead = first.name.replace(/-\d+-\d+-(\w+)$/, '-4194000-1-$1')
    await mkdir(join(dir, dead, 'job-1', 'deep'), { recursive: true })
    await writeFile(join(dir, dead, 'job-1', 'deep', 'x'), 'x')
    await mkdir(join(dir, 'not-ours'))
    await using second = await openScratch(dir, undefined)
    expect((await readdir(dir)).sort()).toEqual(['not-ours', first.name, second.name].sort())
    expect(await readdir(kept)).toEqual([])
  })

  // The job of a killed worker's instance: it belongs to the sandbox, and its parent folder to the worker.
  it.runIf(process.getuid?.() === 0)('deletes a job that was in an instance when its worker died', async () => {
    const identity = { uid: 64_321, gid: 64_321 }
    await chmod(dir, 0o755)
    const scratch = await openScratch(dir, identity)
    const inside = join(await scratch.createPassage('instance'), '1')
    await rename(await scratch.createFolder('job'), inside)
    await mkdir(join(inside, 'deep'))
    await chown(join(inside, 'deep'), identity.uid, identity.gid)
    await writeFile(join(inside, 'deep', 'in-0.png'), 'x')
    const dead = scratch.name.replace(/-\d+-\d+-(\w+)$/, '-4194000-1-$1')
    await rename(join(dir, scratch.name), join(dir, dead))
    await using next = await openScratch(dir, identity)
    expect(await readdir(dir)).toEqual([next.name])
  })

  it('is gone with all it holds when it is closed', async () => {
    const scratch = await openScratch(dir, undefined)
    await mkdir(join(await scratch.createFolder('job'), 'a/b'), { recursive: true })
    await scratch[Symbol.asyncDispose]()
    expect(await readdir(dir)).toEqual([])
  })
})
