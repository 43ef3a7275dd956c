import { cpuTicksOf } from './process-stat.ts'
import type { StepLimits } from './run.ts'
import type { SandboxedProcess } from './start-process.ts'
import { measureFolder } from './watch-folder.ts'
import { watchSilence } from './watch-silence.ts'

export interface LifeWatch {
  readonly limits: Pick<StepLimits, 'silenceMs'>
  /** The folder the engine writes to. */
  readonly path: string
  /** How much the engine has reported so far. */
  readonly reported: () => number
  onSilent(): void
}

const msPerTick = 10
const noLimit = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY }

/** Watches an engine for signs of life if its step asks for it. */
export function watchLife(process: SandboxedProcess, { limits, path, reported, onSilent }: LifeWatch): Disposable {
  const { silenceMs } = limits
  if (silenceMs === undefined) return { [Symbol.dispose]: () => {} }
  const look = async () => {
    const pid = await process.firstPid
    const [{ claimed }, ticks] = await Promise.all([
      measureFolder(path, noLimit),
      pid === undefined ? 0 : cpuTicksOf(pid),
    ])
    return { reported: reported(), bytes: claimed, cpuMs: ticks * msPerTick }
  }
  return watchSilence({ silenceMs, look, onSilent })
}
