import type { Dispatchable } from '@lathe/database'
import { type EngineFamily, isEngineFamily } from '@lathe/domain'
import { familyOf } from '@lathe/engines'
import { type GivenOptions, kindOf, type Operation, type ProcessingOperation } from '@lathe/operations'
import type { Pool, Work } from '@lathe/queue'

/** The kind of worker that runs an operation. */
export function poolOf(operation: Operation): Pool {
  return kindOf(operation) === 'process' ? 'process' : 'transfer'
}

interface Needing {
  readonly operation: Operation
  readonly to: string | null | undefined
  readonly options: GivenOptions | null | undefined
}

/** The engine family that a task needs for files of this format; null if it needs none, or the format is not known. */
export function neededBy({ operation, to, options }: Needing, format: string | undefined): EngineFamily | null {
  if (format === undefined || poolOf(operation) !== 'process') return null
  return (
    familyOf({
      operation: operation as ProcessingOperation,
      from: format,
      to: to ?? undefined,
      options: options ?? undefined,
    }) ?? null
  )
}

// Keeps entries small: a task with inputs from more tasks can wait for the extra query.
const mostInputs = 8

/** The queue entry of a task that holds a slot. */
export function toWork(task: Dispatchable, delayMs = 0): Work {
  const { id, pool, attempt, ownerId, jobId, dependsOn, needs, lane = 'quick', rank = 1 } = task
  const entry = {
    task: id,
    attempt,
    step: 0,
    owner: ownerId,
    ...(rank > 1 && { rank }),
    // A worker of another release may have written an unknown family.
    ...(needs && isEngineFamily(needs) && { family: needs }),
    ...(jobId && { job: jobId }),
    ...(dependsOn.length > 0 && dependsOn.length <= mostInputs && { inputs: dependsOn }),
  }
  return { pool: pool as Pool, lane, entry, delayMs, ownerId }
}
