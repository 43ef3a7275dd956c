import {
  countSlots,
  endSilentWorkers,
  findLeasesOfTheDead,
  findMiscounted,
  findOwnersToAdmit,
  findUnclaimed,
  lockOwner,
  type OrphanedLease,
  type QueuePlace,
  revokeLease,
} from '@lathe/database'
import { afterWorkerDeath, firstId, type ObjectId } from '@lathe/domain'
import { forEachPageSafely, forEachSafely } from '@lathe/runtime'
import { admit, oldestRunnable } from './admit.ts'
import type { Context } from './context.ts'
import { endTask } from './finish-task.ts'
import { grant } from './plan-slots.ts'
import { toWork } from './pools.ts'

const batch = 1_000

/** The most tasks of one queue that are requeued at a time. */
const perQueue = 250

/**
 * Requeues tasks that have a slot and no worker. The queue ignores entries it still has. Each run takes some of every
 * queue and continues behind them in the next: after Redis has lost everything, no family waits for another.
 */
export function createRequeue({ database, dispatch, clock, metrics }: Context): () => Promise<number> {
  let places: readonly QueuePlace[] = []
  return async () => {
    const since = oldestRunnable(clock.now())
    const found = await findUnclaimed(database.pool, { since, places, limit: perQueue })
    // The last of each queue stays.
    places = [
      ...new Map(
        found.map(({ id, pool, lane = 'quick', needs = null }) => [
          `${pool} ${lane} ${needs}`,
          { pool, lane, needs, last: id },
        ]),
      ).values(),
    ]
    const work = found.map((task) => toWork(task, task.delayMs))
    if (work.length > 0) await dispatch.enqueue(work)
    metrics.reconciled.inc({ kind: 'requeued' }, work.length)
    return work.length
  }
}

/**
 * Takes the tasks of dead workers: each gets another attempt, alone if an engine was running, or fails if two workers
 * died of its input. The fence refuses later writes of the dead worker.
 */
export async function recoverFromTheDead(context: Context): Promise<number> {
  const { database, clock, dispatch, metrics, log } = context
  const dead = await endSilentWorkers(database.pool)
  for (const workerId of dead) log.warn({ workerId }, 'worker sent no heartbeat and was declared dead')
  const since = oldestRunnable(clock.now())
  const recover = async ({ workerDeaths, pool, lane, isAtWork, ...fence }: OrphanedLease) => {
    const doing = pool === 'process' ? (isAtWork ? 'engine' : 'fetch') : 'carry'
    const verdict = afterWorkerDeath({ deathsBefore: workerDeaths, doing, lane })
    if (verdict.kind === 'give-up') await endTask(context, fence, verdict.failure)
    else {
      const next = await revokeLease(database.pool, fence, verdict)
      if (next) await dispatch.enqueue([toWork(next)])
    }
    metrics.reconciled.inc({ kind: 'recovered' })
  }
  return forEachPageSafely<OrphanedLease>(
    (last) => findLeasesOfTheDead(database.pool, { since, after: last?.taskId ?? firstId, limit: batch }),
    (leases) => forEachSafely(leases, recover),
  )
}

/** Admits ready tasks of owners with free slots, recounted from the tasks themselves. */
export async function admitBacklogs(context: Context): Promise<number> {
  return forEachPageSafely<ObjectId>(
    (after = firstId) => findOwnersToAdmit(context.database.pool, { after, limit: batch }),
    (owners) => forEachSafely(owners, (ownerId) => admitOwner(context, ownerId)),
  )
}

/**
 * Recounts owners whose counters do not match their tasks, in either direction. Nothing leaves them like that but what
 * happens outside of this service, such as partitions that are dropped by hand: without this, such an owner would wait
 * for slots that nothing gives back.
 */
export async function recountOwners(context: Context): Promise<number> {
  const { database, metrics, log } = context
  const recount = async (ownerId: ObjectId) => {
    await admitOwner(context, ownerId)
    log.warn({ ownerId }, 'counters of an owner did not match its tasks and were recounted')
    metrics.reconciled.inc({ kind: 'recounted' })
  }
  return forEachPageSafely<ObjectId>(
    (after = firstId) => findMiscounted(database.pool, { after, limit: batch }),
    (owners) => forEachSafely(owners, recount),
  )
}

/** Recounts an owner's slots from the tasks themselves and fills them. */
export async function admitOwner({ database, dispatch, clock }: Context, ownerId: ObjectId): Promise<void> {
  const admitted = await database.transaction(async (tx) => {
    const owner = await lockOwner(tx, ownerId)
    if (!owner) return []
    const now = clock.now()
    // Counts all open tasks, also those too old to run: each frees its slot when it ends.
    const counted = await countSlots(tx, ownerId)
    const opened = counted.openTasks - owner.openTasks
    return admit(tx, { ownerId, plan: grant({ ...owner, ...counted }, []), now, opened })
  })
  await dispatch.enqueue(admitted.map((task) => toWork(task)))
}
