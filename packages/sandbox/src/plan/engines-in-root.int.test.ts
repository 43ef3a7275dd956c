import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Plan, tools } from '@lathe/engines'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JobFolder } from '../job-folder.ts'
import { toolsNotIn } from './engines-in-root.ts'
import { runPlan, type Workshop } from './run-plan.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lathe-root-'))
  await mkdir(join(root, 'usr/bin'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const namesNotIn = async (root: string) => (await toolsNotIn(root, tools)).map(({ name }) => name).sort()

it('reports the engines that are missing in a root', async () => {
  await writeFile(join(root, 'usr/bin/ffmpeg'), '')
  await chmod(join(root, 'usr/bin/ffmpeg'), 0o755)
  await symlink('/etc/alternatives/magick', join(root, 'usr/bin/magick'))
  expect(await namesNotIn(root)).toEqual([
    'archive',
    'assimp',
    'browser',
    'compare',
    'data',
    'dicom',
    'fonts',
    'ghostscript',
    'maps',
    'markup',
    'metadata',
    'ocr',
    'office',
    'parquet',
    'pdf',
    'speech',
  ])
})

it('treats a name that exists only to be hidden as missing', async () => {
  await writeFile(join(root, 'usr/bin/gs'), '', { mode: 0o644 })
  expect(await namesNotIn(root)).toContain('ghostscript')
})

it('finds all of them in the usual root', async () => {
  expect(await namesNotIn('/var/lib/lathe/engine-roots/current')).toEqual([])
})

it('runs no program of a missing engine, so that another worker gets the task', async () => {
  const ran: string[] = []
  const workshop = {
    sandbox: { run: async ({ program }: { program: string }) => ran.push(program) && expect.fail() },
    runners: { lacking: await namesNotIn(root) },
    takePermit: async () => ({ [Symbol.dispose]() {} }),
  } as unknown as Workshop
  const limits = { timeMs: 1, memoryBytes: 1, outputBytes: 1 }
  const step = { kind: 'process', profile: 'ocr', program: 'ocrmypdf', args: [], outputs: [], limits } as const
  const plan: Plan = { kind: 'plan', steps: [step], outputs: [], warnings: [] }
  const run = { plan, folder: { path: root } as JobFolder, ownerId: 'a', signal: new AbortController().signal }
  await expect(runPlan(workshop, run)).rejects.toMatchObject({ name: 'RunnerUnavailable', runner: 'ocr' })
  expect(ran).toEqual([])
})
