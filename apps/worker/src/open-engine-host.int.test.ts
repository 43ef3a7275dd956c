import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'

// It gives up its rights for good, so it needs a process of its own.
const program = `
  const { readConfig } = await import(${JSON.stringify(new URL('./config.ts', import.meta.url).href)})
  const { openEngineHost } = await import(${JSON.stringify(new URL('./open-engine-host.ts', import.meta.url).href)})
  const warnings = []
  const log = { warn: (...args) => warnings.push(args.at(-1)) }
  const opened = await openEngineHost(readConfig(process.env), { log, onChange() {}, onServe() {} })
  console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), warnings }))
  await opened[Symbol.asyncDispose]()
  process.exit(0)
`

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

describe.skipIf(process.getuid?.() !== 0)('S4: a worker that root starts with an engine host', () => {
  it('goes on as the owner of the storage folder', async () => {
    const folder = await makeFolder()
    await mkdir(join(folder, 'files'))
    await chown(join(folder, 'files'), 64_399, 64_399)
    expect(await open(folder)).toEqual({ uid: 64_399, gid: 64_399, warnings: [] })
  })

  it('stays root where the storage folder is not there yet, and says so', async () => {
    const warnings = ['worker keeps running as root because root owns the storage folder']
    expect(await open(await makeFolder())).toEqual({ uid: 0, gid: 0, warnings })
  })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp('/var/tmp/lathe-host-')
  folders.push(folder)
  await chmod(folder, 0o711)
  return folder
}

async function open(folder: string): Promise<unknown> {
  const env = {
    ...process.env,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    LATHE_SECRET: 'a'.repeat(64),
    STORAGE_KIND: 'disk',
    STORAGE_DIR: join(folder, 'files'),
    LATHE_SCRATCH_DIR: join(folder, 'scratch'),
    ENGINE_HOST: 'own',
    WORKER_FAMILIES: 'image',
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}
