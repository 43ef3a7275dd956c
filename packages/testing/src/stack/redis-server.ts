import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { runToEnd, type ServerProcess, startServer } from './server-process.ts'

/** A separate Redis that tests may empty, kill and restart without affecting others. */
export interface StackRedis extends ServerProcess {
  readonly url: string
  /** Runs one command like redis-cli. */
  command(...words: readonly string[]): Promise<string>
}

/** Starts Redis without persistence: after a kill it restarts empty. */
export async function startRedis(folder: string): Promise<StackRedis> {
  const port = await findFreePort()
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
  }
  const server = await startServer({
    name: 'redis',
    command: ['redis-server', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])],
    env: { PATH: process.env.PATH ?? '' },
    logFile: join(folder, 'redis.log'),
    isReady: (written) => written.includes('Ready to accept connections'),
  })
  return Object.defineProperties(server as StackRedis, {
    url: { value: `redis://127.0.0.1:${port}` },
    command: { value: (...words: string[]) => runToEnd(['redis-cli', '-h', '127.0.0.1', '-p', `${port}`, ...words]) },
  })
}
