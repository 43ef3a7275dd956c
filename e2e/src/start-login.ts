import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@lathe/testing'

const program = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))

/** A running `lathe login`. */
export interface RunningLogin extends Disposable {
  readonly userCode: string
  /** The path of the URL with the code. */
  readonly path: string
  /** Its output so far, by stream. */
  readonly written: { out: string; err: string }
  interrupt(): void
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/** Starts the program with a separate home folder and waits until it shows its code. */
export async function startLogin(url: string, home: string, args: readonly string[] = []): Promise<RunningLogin> {
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const child = spawn(process.execPath, [program, 'login', '--url', url, ...args], { cwd: home, env })
  child.stdin.end()
  const written = { out: '', err: '' }
  child.stdout.on('data', (piece) => {
    written.out += piece
  })
  child.stderr.on('data', (piece) => {
    written.err += piece
  })
  const ended = once(child, 'close').then(() => child.exitCode)
  const findPath = () => /\/device#([A-Z]{4}-[A-Z]{4})/.exec(written.err)
  await waitFor(async () => findPath() !== null || child.exitCode !== null, { withinMs: 30_000, what: 'a code' })
  const [path, userCode] = findPath() ?? []
  if (path === undefined || userCode === undefined) throw new Error(`lathe login ended: ${written.err}`)
  return {
    userCode,
    path,
    written,
    ended,
    interrupt: () => void child.kill('SIGINT'),
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
