import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { waitFor } from '../wait-for.ts'
import { rssOf } from './proc.ts'

/** A process of the stack that tests can signal, stop and restart. */
export interface ServerProcess {
  readonly name: string
  readonly pid: number
  readonly isRunning: boolean
  /** Sends a signal and does not wait for the result. */
  kill(signal?: NodeJS.Signals): void
  /** Sends a signal and waits for the process to end. Returns the exit code, or null if the signal ended it. */
  stop(signal?: NodeJS.Signals, withinMs?: number): Promise<number | null>
  /** Restarts the ended process with the same settings and waits until it is ready. */
  restart(): Promise<void>
  /** Its resident memory in bytes, without its engines. */
  rss(): number
  /** All output since the first start. */
  log(): string
  tail(lines?: number): string
}

export interface ServerOptions {
  readonly name: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  readonly readyWithinMs?: number
  /** How to signal the process, if the started child is only a wrapper for it. */
  signal?(child: ChildProcess, signal: NodeJS.Signals): void
  /** Receives the output since the last start. */
  isReady(written: string): boolean | Promise<boolean>
}

/** Starts a process and waits until it is ready. If that fails, the error contains its last output. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { name, logFile } = options
  const log = () => readFileSync(logFile, 'utf8')
  const tail = (lines = 40) => log().trimEnd().split('\n').slice(-lines).join('\n')
  let child = launch(options)
  const send = (signal: NodeJS.Signals) => (options.signal ? options.signal(child, signal) : void child.kill(signal))

  async function untilReady(writtenBefore: number): Promise<void> {
    const { readyWithinMs = 240_000 } = options
    const ready = async () => hasEnded(child) || (await options.isReady(log().slice(writtenBefore)))
    const outcome = waitFor(ready, { withinMs: readyWithinMs, everyMs: 50, what: `readiness of ${name}` })
    await outcome.catch((error) => {
      send('SIGKILL')
      throw new Error(`${error.message}\n${tail()}`)
    })
    if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}\n${tail()}`)
  }

  async function stop(signal: NodeJS.Signals = 'SIGKILL', withinMs = 60_000): Promise<number | null> {
    send(signal)
    await waitFor(() => hasEnded(child), { withinMs, what: `the end of ${name} by ${signal}` })
    return child.exitCode
  }

  await untilReady(0)
  return {
    name,
    get pid() {
      return child.pid ?? -1
    },
    get isRunning() {
      return !hasEnded(child)
    },
    kill: (signal = 'SIGKILL') => send(signal),
    stop,
    async restart() {
      if (!hasEnded(child)) await stop()
      const writtenBefore = log().length
      child = launch(options)
      await untilReady(writtenBefore)
    },
    rss: () => rssOf(child.pid ?? -1),
    log,
    tail,
  }
}

function launch({ command, env, logFile }: ServerOptions): ChildProcess {
  const out = openSync(logFile, 'a')
  // The processes end with the test, even if it is killed.
  const args = ['--pdeathsig', 'KILL', '--', ...atUsualPriority(command)]
  const child = spawn('setpriv', args, { cwd: '/', env, stdio: ['ignore', out, out] })
  closeSync(out)
  return child
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** What a test starts does not inherit a priority that the test gave itself. */
function atUsualPriority(command: readonly string[]): readonly string[] {
  const own = getPriority()
  return own < 0 ? ['nice', '-n', String(-own), ...command] : command
}

/** Runs a program to its end; throws with its output if it fails. */
export async function runToEnd(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = atUsualPriority(command)
  const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void said.push(String(chunk)))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${said.join('')}`)
  return said.join('')
}
