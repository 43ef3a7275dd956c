import { type Failure, failures } from './failures.ts'

/** At most this many attempts for causes that may pass. */
export const maxAttempts = 3
/** An input that was being worked on when this many workers died is never tried again. */
export const maxWorkerDeaths = 2

const firstDelayMs = 1_000
const longestDelayMs = 30_000

export type RetryVerdict =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly failure: Failure }

/** What follows a failed attempt, when `failuresBefore` attempts had failed before it. */
export function afterFailure(cause: Failure, failuresBefore: number): RetryVerdict {
  if (!failures[cause.code].retry || failuresBefore + 1 >= maxAttempts) return { kind: 'give-up', failure: cause }
  return { kind: 'retry', delayMs: Math.min(firstDelayMs * 4 ** failuresBefore, longestDelayMs) }
}

/** What follows the death of the worker that ran a task, when `deathsBefore` had died of it before. */
export function afterWorkerDeath(deathsBefore: number): RetryVerdict {
  if (deathsBefore + 1 < maxWorkerDeaths) return { kind: 'retry', delayMs: 0 }
  return { kind: 'give-up', failure: { kind: 'failure', code: 'input_quarantined' } }
}
