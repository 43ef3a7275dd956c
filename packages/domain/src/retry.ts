import { type Failure, failure, failures } from './failures.ts'
import type { Lane } from './lanes.ts'

/** At most this many attempts for causes that may pass. */
export const maxAttempts = 3
/** An input that an engine was working on when this many workers died, the last time alone, is never tried again. */
export const maxWorkerDeaths = 2
// Bytes that are only carried kill nobody: a worker that dies meanwhile has other reasons, yet there is an end to it.
// High enough that no transfer is given up for the killers it happens to run next to.
const maxDeathsOfCarriers = 10

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
export interface Orphan {
  /** Workers that had died with it before, and that it was blamed for. */
  readonly deathsBefore: number
  /** What it was doing: `engine` where one may have been at work on it, `fetch` where none was, `carry` for a transfer. */
  readonly doing: 'engine' | 'fetch' | 'carry'
  readonly lane: Lane
}

/** What follows the death of a worker: the task goes back to a queue, or fails for good. */
export type DeathVerdict =
  | { readonly kind: 'retry'; readonly lane: Lane; readonly isBlamed: boolean }
  | { readonly kind: 'give-up'; readonly failure: Failure }

/**
 * What follows the death of the worker that ran a task. Of several engines at work any may be the cause: each of their
 * tasks is tried again alone, and only one that a worker dies of then is given up.
 */
export function afterWorkerDeath({ deathsBefore, doing, lane }: Orphan): DeathVerdict {
  if (doing === 'fetch') return { kind: 'retry', lane, isBlamed: false }
  if (doing === 'carry') {
    if (deathsBefore + 1 >= maxDeathsOfCarriers) return { kind: 'give-up', failure: failure('internal') }
    return { kind: 'retry', lane, isBlamed: true }
  }
  if (lane === 'alone' && deathsBefore + 1 >= maxWorkerDeaths) {
    return { kind: 'give-up', failure: failure('input_quarantined') }
  }
  return { kind: 'retry', lane: 'alone', isBlamed: true }
}
