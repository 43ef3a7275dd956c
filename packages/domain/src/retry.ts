import { type Failure, failure, failures } from './failures.ts'

/** At most this many attempts for causes that may pass. */
export const maxAttempts = 3
/** An input that an engine was working on when this many workers died is never tried again. */
export const maxWorkerDeaths = 2
/** Bytes that are only carried kill nobody: a worker that dies meanwhile has other reasons, yet there is an end to it. */
const maxDeathsOfCarriers = 5

/** Content that stopped this many engines is not tried again while they are counted, which is 24 hours. */
export const maxCrashes = 2

/** However often a task is given back, and for whatever reason, it is started no more than this many times. */
export const mostStarts = 20

const firstDelayMs = 1_000
const longestDelayMs = 30_000

export type RetryVerdict =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly failure: Failure }

/** What came before an attempt: failures of the task, and engines that its content has stopped. */
export interface Past {
  readonly failures: number
  readonly crashes: number
}

/** What follows a failed attempt. */
export function afterFailure(cause: Failure, { failures: failuresBefore, crashes }: Past): RetryVerdict {
  if (cause.code === 'engine_crashed' && isQuarantined(crashes + 1)) {
    return { kind: 'give-up', failure: failure('input_quarantined', cause.detail ? { detail: cause.detail } : {}) }
  }
  if (!failures[cause.code].retry || failuresBefore + 1 >= maxAttempts) return { kind: 'give-up', failure: cause }
  return { kind: 'retry', delayMs: Math.min(firstDelayMs * 4 ** failuresBefore, longestDelayMs) }
}

/** Whether content that has stopped so many engines is kept away from them. */
export function isQuarantined(crashes: number): boolean {
  return crashes >= maxCrashes
}

/** A task whose worker died. */
interface Orphan {
  /** Workers that had died with it before. */
  readonly deathsBefore: number
  /** Whether an engine was at work on it, or its bytes were only carried. */
  readonly byEngine: boolean
}

/** What follows the death of the worker that ran a task. */
export function afterWorkerDeath({ deathsBefore, byEngine }: Orphan): RetryVerdict {
  const most = byEngine ? maxWorkerDeaths : maxDeathsOfCarriers
  if (deathsBefore + 1 < most) return { kind: 'retry', delayMs: 0 }
  return { kind: 'give-up', failure: failure(byEngine ? 'input_quarantined' : 'internal') }
}
