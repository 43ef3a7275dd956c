import type { Allowance } from '@lathe/domain'

/** Watches over the minutes of a task. */
export interface Watch extends Disposable {
  /** Aborts when the run is to stop: the minutes are over, or it was stopped from outside. */
  readonly signal: AbortSignal
  readonly isOver: boolean
}

// Tasks live a day; a timer cannot wait much longer than that.
const dayMs = 86_400_000

/** Lets a run stop when its minutes are over, where they are counted. */
export function watchAllowance(allowance: Allowance | undefined, outside: AbortSignal): Watch {
  const over = new AbortController()
  const isCounted = allowance !== undefined && allowance.ms < dayMs
  const timer = isCounted ? setTimeout(() => over.abort(new Error(allowance.code)), allowance.ms) : undefined
  return {
    signal: isCounted ? AbortSignal.any([outside, over.signal]) : outside,
    get isOver() {
      return over.signal.aborted
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
