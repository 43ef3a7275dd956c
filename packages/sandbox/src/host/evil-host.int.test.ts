import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { startHost } from './start-host.ts'

const isRoot = process.getuid?.() === 0
const users = { host: 64_322, sandbox: 64_321, worker: 64_323 }
const evil = fileURLToPath(new URL('../../test/evil-host.mjs', import.meta.url))
const timeout = 120_000

/** A worker that holds a secret in its environment, its memory and a file, and has listeners on loopback. */
async function openBait(folder: string, identity: { readonly uid?: number; readonly gid?: number }) {
  await using stack = new AsyncDisposableStack()
  const secret = randomBytes(24).toString('hex')
  const file = join(folder, 'secret')
  await writeFile(file, secret, { mode: 0o600 })
  const hold = `const held = process.env.LATHE_SECRET; console.log('ready'); setInterval(() => held, 1000)`
  const env = { LATHE_SECRET: secret }
  const worker = spawn(process.execPath, ['-e', hold], { env, stdio: ['ignore', 'pipe', 'inherit'], ...identity })
  stack.defer(() => void worker.kill('SIGKILL'))
  await once(worker.stdout, 'data')
  const hits: string[] = []
  const server = createServer((socket) => {
    hits.push('tcp')
    socket.destroy()
  })
  await once(server.listen(0, '0.0.0.0'), 'listening')
  stack.defer(() => void server.close())
  const { port } = server.address() as AddressInfo
  const all = stack.move()
  return { secret, file, hits, port, pid: String(worker.pid), [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** Every address of this machine: the only ones that a test may try to reach. */
function ownAddresses(port: number) {
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
  return [...new Set(['127.0.0.1', ...own])].map((host) => ({ host, port }))
}

async function runEvil(how: { readonly isApart: boolean }) {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'lathe-evil-host-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const scratchDir = join(folder, 'scratch')
  await mkdir(scratchDir, { mode: 0o777 })
  await chmod(scratchDir, 0o777)
  const script = join(folder, 'evil-host.mjs')
  await copyFile(evil, script)
  const bait = stack.use(await openBait(folder, isRoot ? { uid: users.worker, gid: users.worker } : {}))
  const report = join(scratchDir, 'report.json')
  const plan = {
    wanted: [bait.secret],
    // With full rights, it looks only at what the test created.
    ...(!how.isApart && { pids: [bait.pid] }),
    files: [bait.file, `/proc/${process.pid}/environ`],
    tcp: ownAddresses(bait.port),
    udp: [{ host: '127.0.0.1', port: bait.port }],
    report,
  }
  const command = [process.execPath, script, JSON.stringify(plan)] as const
  const read = () =>
    waitFor(() => readFile(report, 'utf8').catch(() => undefined), { withinMs: 60_000, what: 'a report' })
  if (how.isApart) {
    stack.use(await startHost({ command: [...command], env: {}, scratchDir, users: isRoot ? users : undefined }))
  } else {
    const [program, ...args] = command
    const child = spawn(program, args, { env: {}, stdio: ['pipe', 'inherit', 'inherit'] })
    stack.defer(() => void child.kill('SIGKILL'))
  }
  return { ...JSON.parse(await read()), hits: bait.hits }
}

describe('S4: an attacker who has taken over the engine host', { timeout }, () => {
  it('finds no secret in any environment, memory or file, and reaches no address', async () => {
    const { found, reached, hits } = await runEvil({ isApart: true })
    // A non-root user shares its files with its host: they must be protected by other means.
    expect(found.filter((where: string) => isRoot || !where.endsWith('/secret'))).toEqual([])
    expect({ reached, hits }).toEqual({ reached: [], hits: [] })
  })

  it('finds them without the namespaces, so that the test above means something', async () => {
    const { found, reached, hits } = await runEvil({ isApart: false })
    expect(found.some((where: string) => where.startsWith('environ'))).toBe(true)
    expect(found.some((where: string) => where.startsWith('memory'))).toBe(true)
    expect(found.some((where: string) => where.endsWith('/secret'))).toBe(true)
    expect(reached.length).toBeGreaterThan(0)
    expect(hits.length).toBeGreaterThan(0)
  })
})
