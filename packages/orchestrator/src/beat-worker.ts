import { beat, type Database, type Fence, findForgotten, findRevoked } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { withDeadline } from '@lathe/runtime'
import type { Context } from './context.ts'
import { giveBackTask } from './finish-task.ts'

/** The tasks of a worker. */
export interface InHand {
  /** The leases it knows it has. */
  readonly claimed: readonly Fence[]
  /** These, and those whose claim is still under way: they may not be stored yet, so they cannot be revoked. */
  readonly held: readonly Fence[]
}

const giveBackMs = 1_000

/**
 * A worker's heartbeat. Returns undefined if the worker was declared dead, otherwise the claimed tasks that it has
 * lost. Requeues leases that the worker does not know, because the answer to a claim or an end was lost.
 */
export async function beatWorker(
  context: Context,
  heartbeats: Database,
  workerId: ObjectId,
  { claimed, held }: InHand,
): Promise<readonly ObjectId[] | undefined> {
  const reported = await heartbeats.transaction(async (tx) => {
    if (!(await beat(tx, workerId))) return undefined
    return { revoked: await findRevoked(tx, workerId, claimed), forgotten: await findForgotten(tx, workerId, held) }
  })
  const givenBack = Promise.allSettled((reported?.forgotten ?? []).map((fence) => giveBackTask(context, fence)))
  // The next heartbeat handles the rest; this one must not delay it.
  await withDeadline(givenBack, giveBackMs).catch(() => {})
  return reported?.revoked
}
