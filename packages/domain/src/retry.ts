import { type Failure, failure, failures } from './failures.ts'
import type { Lane } from './lanes.ts'

/** The most attempts for causes that may be temporary. */
export const maxAttempts = 3
/** An input is not tried again after this many workers died while an engine worked on it, the last time alone. */
export const maxWorkerDeaths = 2
// Transfers only copy bytes, so a worker that dies during one has another cause. There still must be a limit. It is
// high enough that a transfer does not fail because of tasks next to it that kill workers.
const maxDeathsOfCarriers = 10

/** Content that crashed this many engines is not tried again while the crashes are counted, which is 24 hours. */
export const maxCrashes = 2

/** A task is started at most this many times, however often and for whatever reason it is requeued. */
export const mostStarts = 20

const firstDelayMs = 1_000
const longestDelayMs = 30_000

export type RetryVerdict =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly failure: Failure }

/** What came before an attempt: failures of the task, and engines that its content crashed. */
export interface Past {
  readonly failures: number
  readonly crashes: number
}

/** Decides what follows a failed attempt. */
export function afterFailure(cause: Failure, { failures: failuresBefore, crashes }: Past): RetryVerdict {
  if (cause.code === 'engine_crashed' && isQuarantined(crashes + 1)) {
    return { kind: 'give-up', failure: failure('input_quarantined', cause.detail ? { detail: cause.detail } : {}) }
  }
  if (!failures[cause.code].retry || failuresBefore + 1 >= maxAttempts) return { kind: 'give-up', failure: cause }
  return { kind: 'retry', delayMs: Math.min(firstDelayMs * 4 ** failuresBefore, longestDelayMs) }
}

/** Whether content that crashed this many engines is kept away from them. */
export function isQuarantined(crashes: number): boolean {
  return crashes >= maxCrashes
}

/** A task whose worker died. */
export interface Orphan {
  /** Earlier worker deaths that the task was blamed for. */
  readonly deathsBefore: number
  /** What the worker was doing: `engine` if one may have been running, `fetch` if none was, `carry` for a transfer. */
  readonly doing: 'engine' | 'fetch' | 'carry'
  readonly lane: Lane
}

/** What follows the death of a worker: the task is requeued or fails. */
export type DeathVerdict =
  | { readonly kind: 'retry'; readonly lane: Lane; readonly isBlamed: boolean }
  | { readonly kind: 'give-up'; readonly failure: Failure }

/**
 * Decides what follows the death of the worker that ran a task. If several engines were running, any of them may be the
 * cause: each of their tasks is tried again alone, and fails only if a worker then dies again.
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
