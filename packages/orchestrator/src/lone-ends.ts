import { completeLoneTasks, hourOf, isPartitionGone, isUnwritable, type LoneEnd, lockOwner } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { oldestRunnable } from './admit.ts'
import type { Context } from './context.ts'
import { toWork } from './pools.ts'

/** What a worker reports about a lone task that it has completed. */
export type LoneReport = Omit<LoneEnd, 'eventId'>

/** Completes tasks outside any job on a short path. */
export interface LoneEnds {
  /** Whether the task was completed. If not, nothing was written, and the general path finds out why. */
  complete(ownerId: ObjectId, report: LoneReport): Promise<boolean>
}

interface Waiting {
  readonly report: LoneReport
  resolve(isWritten: boolean): void
  reject(error: unknown): void
}

/** The most tasks that one transaction completes, so that it locks the owner only for milliseconds. */
const mostAtOnce = 32

/**
 * One transaction per owner at a time: a second one would only wait for the owner's row and occupy a connection.
 * Reports that arrive meanwhile are written together in the next one.
 */
export function createLoneEnds(context: Context): LoneEnds {
  const lanes = new Map<ObjectId, Waiting[]>()
  const backlogs: Backlogs = new Set()

  async function empty(ownerId: ObjectId, lane: Waiting[]): Promise<void> {
    while (lane.length > 0) await write(context, { ownerId, backlogs }, lane.splice(0, mostAtOnce))
    lanes.delete(ownerId)
  }

  return {
    complete(ownerId, report) {
      return new Promise((resolve, reject) => {
        const waiting = { report, resolve, reject }
        const lane = lanes.get(ownerId)
        if (lane) {
          lane.push(waiting)
          return
        }
        const fresh = [waiting]
        lanes.set(ownerId, fresh)
        void empty(ownerId, fresh)
      })
    },
  }
}

/**
 * Writes some ends and answers each report. If PostgreSQL rejects the content of one, each is written alone, so that it
 * does not fail the others. After any other error, such as a lock timeout, writing them one by one would only take
 * longer.
 */
async function write(
  context: Context,
  lane: { ownerId: ObjectId; backlogs: Backlogs },
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const written = await complete(context, { ...lane, reports: batch.map(({ report }) => report) })
    for (const { report, resolve } of batch) resolve(written.has(report.fence.taskId))
  } catch (error) {
    if (batch.length > 1 && isUnwritable(error)) for (const one of batch) await write(context, lane, [one])
    else if (isPartitionGone(error)) for (const { resolve } of batch) resolve(false)
    else for (const { reject } of batch) reject(error)
  }
}

/** Owners that had ready tasks without a slot when last checked: only a guess to choose the statement. */
type Backlogs = Set<ObjectId>
const mostBacklogs = 10_000

function noteBacklog(backlogs: Backlogs, ownerId: ObjectId, length: number): void {
  if (backlogs.size >= mostBacklogs) backlogs.clear()
  if (length > 0) backlogs.add(ownerId)
  else backlogs.delete(ownerId)
}

/** Merges duplicate reports of the same end: both would be counted, and name the same files. */
function distinct(reports: readonly LoneReport[]): readonly LoneReport[] {
  const fenceOf = ({ fence }: LoneReport) => `${fence.taskId} ${fence.attempt} ${fence.workerId}`
  return [...new Map(reports.map((report) => [fenceOf(report), report])).values()]
}

async function complete(
  { database, dispatch, ids, clock, metrics, limits }: Context,
  { ownerId, reports, backlogs }: { ownerId: ObjectId; reports: readonly LoneReport[]; backlogs: Backlogs },
): Promise<ReadonlySet<ObjectId>> {
  const ends = distinct(reports).map((report) => ({ ...report, eventId: ids.next() }))
  const backlogSince = backlogs.has(ownerId) ? oldestRunnable(clock.now()) : undefined
  const fixed = { ownerId, mostStored: limits?.storedBytesPerOwner || null, backlogSince }
  const hours = Map.groupBy(ends, ({ fence }) => hourOf(fence.taskId))
  const { owner, ended, admitted } = await database.atOnce(async (tx) => {
    const [locked, ...completed] = await Promise.all([
      lockOwner(tx, ownerId),
      ...[...hours].map(([hour, own]) => completeLoneTasks(tx, { ...fixed, hour, ends: own })),
    ])
    return {
      owner: locked,
      ended: completed.flatMap((each) => each.ended),
      admitted: completed.flatMap((each) => each.admitted),
    }
  })
  noteBacklog(backlogs, ownerId, owner ? owner.backlog - admitted.length : 0)
  for (const { operation } of ended) metrics.tasksEnded.inc({ operation, status: 'completed', reason: '' })
  const hints = ended.map(({ id, seq }) => ({ subjectId: id, ownerId, seq }))
  const done = ended.map(({ id }) => id)
  // Not awaited: the work is done, and polling finds what Redis misses.
  void dispatch.enqueue(admitted.map((task) => toWork(task)))
  void dispatch.reported(hints, done)
  return new Set(done)
}
