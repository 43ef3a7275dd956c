import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

export interface CommandOptions {
  readonly command: readonly string[]
  readonly cwd: string
  /** What it prints goes into this file. */
  readonly output: string
  readonly limitS: number
  /** Gives way to other processes, on the processors and on the disk. */
  readonly isPatient: boolean
}

export interface CommandEnd {
  readonly exitCode: number
  readonly seconds: number
  readonly isTooSlow: boolean
}

// Everything running, so that nothing is left behind by a run that is broken off.
const running = new Set<number>()
const graceMs = 20_000

/** Runs a command without input to its end, or ends it and all that it started when its time is over. */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const { command, cwd, output, limitS, isPatient } = options
  const words = isPatient ? ['nice', '-n', '10', 'ionice', '-c', '3', ...command] : command
  const [program = '', ...args] = words
  const started = performance.now()
  const file = openSync(output, 'w')
  // Detached: a group of its own, which can be ended as a whole.
  const child = spawn(program, args, { cwd, stdio: ['ignore', file, file], detached: true })
  closeSync(file)
  const ended: Promise<number> = once(child, 'close').then(
    ([code]) => code ?? 1,
    () => 127,
  )
  const { pid } = child
  if (pid !== undefined) running.add(pid)
  let isTooSlow = false
  const cancel = new AbortController()
  pause(limitS * 1000, undefined, { signal: cancel.signal, ref: false })
    .then(async () => {
      isTooSlow = true
      signalGroup(pid, 'SIGTERM')
      await pause(graceMs, undefined, { signal: cancel.signal, ref: false })
      signalGroup(pid, 'SIGKILL')
    })
    .catch(() => {})
  const exitCode = await ended
  cancel.abort()
  if (pid !== undefined) running.delete(pid)
  return { exitCode, seconds: (performance.now() - started) / 1000, isTooSlow }
}

/** Ends all commands that run. */
export function endCommands(): void {
  for (const pid of running) signalGroup(pid, 'SIGTERM')
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has just ended.
  }
}
