import { type Failure, failure, failures } from './failures.ts'

/** At most this many attempts for causes that may pass. */
export const maxAttempts = 3
/** An input that was being worked on when this many workers died is never tried again. */
export const maxWorkerDeaths = 2

/** Content that stopped this many engines is not tried again while they are counted, which is 24 hours. */
export const maxCrashes = 2

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

/** What follows the death of the worker that ran a task, when `deathsBefore` had died of it before. */
export function afterWorkerDeath(deathsBefore: number): RetryVerdict {
  if (deathsBefore + 1 < maxWorkerDeaths) return { kind: 'retry', delayMs: 0 }
  return { kind: 'give-up', failure: failure('input_quarantined') }
}
