import type { Dispatchable } from '@lathe/database'
import { kindOf, type Operation } from '@lathe/domain'
import type { Pool, Work } from '@lathe/queue'

/** The kind of worker that runs an operation. */
export function poolOf(operation: Operation): Pool {
  return kindOf(operation) === 'process' ? 'process' : 'transfer'
}

/** The queue entry of a task that holds a slot. */
export function toWork({ id, pool, attempt, ownerId }: Dispatchable, delayMs = 0): Work {
  return { pool: pool as Pool, entry: { task: id, attempt, step: 0 }, delayMs, ownerId }
}
