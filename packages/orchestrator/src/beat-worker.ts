import { beat, type Database, type Fence, findForgotten, findRevoked } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { withDeadline } from '@lathe/runtime'
import type { Context } from './context.ts'
import { giveBackTask } from './finish-task.ts'

/** What a worker has in hand. */
export interface InHand {
  /** The leases it knows it won. */
  readonly claimed: readonly Fence[]
  /** These, and those whose claim is still on its way: the record may not know them yet, so they cannot be revoked. */
  readonly held: readonly Fence[]
}

const giveBackMs = 1_000

/**
 * A worker's heartbeat. Undefined: it was declared dead. Otherwise the tasks it claimed that are no longer its
 * own. Leases it does not know of, because the answer to a claim or an end was lost on the way, are given back.
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
  // The next heartbeat finds what is left; this one must not be late for it.
  await withDeadline(givenBack, giveBackMs).catch(() => {})
  return reported?.revoked
}
