import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { runToEnd, type ServerProcess, startServer } from './server-process.ts'

/** A Redis of the stack's own: it may be emptied, killed and started again without hurting anyone else. */
export interface StackRedis extends ServerProcess {
  readonly url: string
  /** Runs one command, as redis-cli would. */
  command(...words: readonly string[]): Promise<string>
}

/** Starts Redis without persistence: killed, it comes back empty. */
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
