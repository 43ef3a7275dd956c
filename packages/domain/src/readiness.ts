import type { FailureCode } from './failures.ts'
import { type BadEnd, isBadEnd, type TaskStatus } from './task-state.ts'

/** What the inputs of a task mean for it: wait, start, or fail with a cause. */
export type Readiness =
  | { readonly kind: 'waiting'; readonly pending: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'doomed'; readonly cause: FailureCode }

export interface InputState {
  readonly status: TaskStatus
  /** Whether its files have expired. */
  readonly expired: boolean
}

/** Why a waiting task fails when an input ends this way. */
export const causeOfBadInput = {
  failed: 'input_failed',
  canceled: 'input_canceled',
  deleted: 'input_deleted',
} as const satisfies Record<BadEnd, FailureCode>

/** Whether a new task may start, must wait or can no longer succeed. */
export function readinessOf(inputs: readonly InputState[]): Readiness {
  for (const { status, expired } of inputs) {
    if (isBadEnd(status)) return { kind: 'doomed', cause: causeOfBadInput[status] }
    if (expired) return { kind: 'doomed', cause: 'input_expired' }
  }
  const pending = inputs.filter(({ status }) => status !== 'completed').length
  return pending > 0 ? { kind: 'waiting', pending } : { kind: 'ready' }
}
