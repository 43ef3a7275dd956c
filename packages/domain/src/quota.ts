import type { FailureCode } from './failures.ts'
import type { OperationKind } from './operation-kind.ts'
import type { TaskStatus } from './task-state.ts'

/** What an owner's plan still gives a task that begins; null where it sets no limit. */
export interface MinutesLeft {
  readonly monthMs: number | null
  readonly taskMs: number | null
}

/** How long a task may work, and the reason it fails for if it takes longer. */
export interface Allowance {
  readonly ms: number
  readonly code: Extract<FailureCode, 'out_of_minutes' | 'out_of_minutes_per_task'>
}

/** The nearer limit of a task, if it has one. Only engines use minutes up: imports and exports do not. */
export function allowanceOf(kind: OperationKind, { monthMs, taskMs }: MinutesLeft): Allowance | undefined {
  if (kind !== 'process') return undefined
  const [month, task] = [monthMs ?? Number.POSITIVE_INFINITY, taskMs ?? Number.POSITIVE_INFINITY]
  if (month <= task)
    return month === Number.POSITIVE_INFINITY ? undefined : { ms: Math.max(0, month), code: 'out_of_minutes' }
  return { ms: task, code: 'out_of_minutes_per_task' }
}

/** A task that ends, with how long engines have worked on it in its last attempt. */
export interface EndingTask {
  readonly kind: OperationKind
  readonly status: TaskStatus
  readonly engineMs: number
}

/** What the end of a task takes from its owner's minutes: the time engines worked in its last attempt, unless we are to blame for the end. */
export function minutesTaken({ kind, status, engineMs }: EndingTask, cause: FailureCode | undefined): number {
  const isWork = kind === 'process' && status === 'processing'
  return isWork && cause !== 'internal' ? Math.max(0, engineMs) : 0
}
