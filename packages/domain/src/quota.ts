import type { FailureCode } from './failures.ts'
import type { OperationKind } from './operation-kind.ts'
import type { TaskStatus } from './task-state.ts'

/** What an owner's plan still allows a task that starts; null without a limit. */
export interface MinutesLeft {
  readonly monthMs: number | null
  readonly taskMs: number | null
}

/** How long a task may run, and the reason for its failure if it takes longer. */
export interface Allowance {
  readonly ms: number
  readonly code: Extract<FailureCode, 'out_of_minutes' | 'out_of_minutes_per_task'>
}

/** The lower of the two limits of a task, if it has any. Only engines use minutes; imports and exports do not. */
export function allowanceOf(kind: OperationKind, { monthMs, taskMs }: MinutesLeft): Allowance | undefined {
  if (kind !== 'process') return undefined
  const [month, task] = [monthMs ?? Number.POSITIVE_INFINITY, taskMs ?? Number.POSITIVE_INFINITY]
  if (month <= task)
    return month === Number.POSITIVE_INFINITY ? undefined : { ms: Math.max(0, month), code: 'out_of_minutes' }
  return { ms: task, code: 'out_of_minutes_per_task' }
}

/** A task that ends, with the engine time of its last attempt. */
export interface EndingTask {
  readonly kind: OperationKind
  readonly status: TaskStatus
  readonly engineMs: number
}

/**
 * How much of its owner's minutes an ending task uses: the engine time of its last attempt, or nothing if the failure
 * is ours.
 */
export function minutesTaken({ kind, status, engineMs }: EndingTask, cause: FailureCode | undefined): number {
  const isWork = kind === 'process' && status === 'processing'
  return isWork && cause !== 'internal' ? Math.max(0, engineMs) : 0
}
