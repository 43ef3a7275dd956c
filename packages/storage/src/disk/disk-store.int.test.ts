import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createStore } from '../create-store.ts'
import { chunkOf } from '../testing/bytes.ts'
import { type StoreUnderTest, testObjectStore } from '../testing/object-store-suite.ts'

const { signal } = new AbortController()

async function makeDiskStore(): Promise<StoreUnderTest & { dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'lathe-disk-'))
  return {
    dir,
    store: await createStore({ kind: 'disk', dir }),
    countRemains: async () => {
      const names = await readdir(dir, { recursive: true })
      return names.filter((name) => /(^|\/)\./.test(name)).length
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  }
}

testObjectStore('disk store', makeDiskStore)

describe('disk store', () => {
  it('is readable by its own user only', async () => {
    await using made = await makeDiskStore()
    await made.store.put('a/b/c', chunkOf('x'), { signal })
    expect((await stat(join(made.dir, 'a/b/c'))).mode & 0o077).toBe(0)
    expect((await stat(join(made.dir, 'a'))).mode & 0o077).toBe(0)
  })

  it('deletes all others when one cannot be deleted, and names that one', async () => {
    await using made = await makeDiskStore()
    for (const key of ['a/1/x', 'a/2', 'a/3']) await made.store.put(key, chunkOf('x'), { signal })
    // A folder in the place of a file.
    const deleting = made.store.delete(['a/2', 'a/1', 'a/3'])
    await expect(deleting).rejects.toMatchObject({ name: 'ObjectsNotDeleted', keys: ['a/1'] })
    expect(await readdir(join(made.dir, 'a'))).toEqual(['1'])
  })

  it('fails its check when its folder is gone, and does not create it again', async () => {
    const made = await makeDiskStore()
    await made[Symbol.asyncDispose]()
    await expect(made.store.check(signal)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(stat(made.dir)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('removes partial writes of a crash when their prefix expires, without counting them', async () => {
    await using made = await makeDiskStore()
    await made.store.put('1700000100/task/1/0', chunkOf('x'), { signal })
    await writeFile(join(made.dir, '1700000100/.left-behind'), 'half')
    expect(await made.store.deletePrefix('1700000100')).toBe(1)
    expect(await readdir(made.dir)).toEqual([])
  })
})
