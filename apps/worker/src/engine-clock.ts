import type { Allowance } from '@lathe/domain'

/** Measures how long engines work on a task, and stops the task when its minutes are used up. */
export interface EngineClock extends Disposable {
  /** Aborts when the run must stop: the minutes are used up, or it was stopped from outside. */
  readonly signal: AbortSignal
  readonly isOver: boolean
  readonly isRunning: boolean
  /** Milliseconds that engines have worked so far. */
  readonly ms: number
  /** An engine starts: minutes are counted only from here on. */
  start(): void
  stop(): void
}

// Tasks exist for a day, and a timer cannot wait much longer than that.
const dayMs = 86_400_000

/** Creates the clock of one attempt. It does not run until an engine starts. */
export function createEngineClock(allowance: Allowance | undefined, outside: AbortSignal): EngineClock {
  const over = new AbortController()
  const isCounted = allowance !== undefined && allowance.ms < dayMs
  let startedAt: number | undefined
  let beforeMs = 0
  let timer: NodeJS.Timeout | undefined

  const msNow = () => beforeMs + (startedAt === undefined ? 0 : performance.now() - startedAt)

  function stop(): void {
    clearTimeout(timer)
    beforeMs = msNow()
    startedAt = undefined
  }

  return {
    signal: isCounted ? AbortSignal.any([outside, over.signal]) : outside,
    get isOver() {
      return over.signal.aborted
    },
    get isRunning() {
      return startedAt !== undefined
    },
    get ms() {
      return msNow()
    },
    start() {
      stop()
      startedAt = performance.now()
      if (isCounted) timer = setTimeout(() => over.abort(new Error(allowance.code)), allowance.ms - beforeMs)
    },
    stop,
    [Symbol.dispose]: stop,
  }
}
