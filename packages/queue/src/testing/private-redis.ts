// biome-ignore lint/style/noRestrictedImports: a test ends this Redis at will, so it cannot be the shared one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A private Redis for a test, which can be stopped and started again on the same port. */
export interface PrivateRedis extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it from answering, while its connections stay open and new ones are accepted. */
  freeze(): void
  thaw(): void
}

/** Starts a Redis that keeps nothing on disk. */
export async function startRedis(...further: readonly string[]): Promise<PrivateRedis> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'lathe-redis-'))
  let child: ChildProcess | undefined

  async function start() {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
      ...further,
    ]
    child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    for await (const chunk of child.stdout ?? []) if (String(chunk).includes('Ready to accept')) break
    child.stdout?.resume()
  }

  async function stop() {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}
