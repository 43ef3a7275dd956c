import type { Dispatchable } from '@lathe/database'
import { kindOf, type Operation } from '@lathe/domain'
import type { Pool, Work } from '@lathe/queue'

/** The kind of worker that runs an operation. */
export function poolOf(operation: Operation): Pool {
  return kindOf(operation) === 'process' ? 'process' : 'transfer'
}

// An entry is small: whoever takes inputs from more tasks has time to look for them.
const mostInputs = 8

/** The queue entry of a task that holds a slot. */
export function toWork(task: Dispatchable, delayMs = 0): Work {
  const { id, pool, attempt, ownerId, jobId, dependsOn, lane = 'quick', rank = 1 } = task
  const entry = {
    task: id,
    attempt,
    step: 0,
    owner: ownerId,
    ...(jobId && { job: jobId }),
    ...(dependsOn.length > 0 && dependsOn.length <= mostInputs && { inputs: dependsOn }),
  }
  return { pool: pool as Pool, lane, rank, entry, delayMs, ownerId }
}
