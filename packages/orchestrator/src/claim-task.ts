import {
  type Executor,
  type Fence,
  findJobOfTask,
  findTaskById,
  insertEvents,
  lockJobs,
  type TaskRecord,
  takeLease,
  updateJobs,
} from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import type { Context } from './context.ts'
import { createEventLog } from './event-log.ts'

/** A lease, with all that is needed to do the work. */
export interface Claim {
  readonly fence: Fence
  readonly task: TaskRecord
  /** How many attempts have failed before this one. */
  readonly failures: number
  /** What the payload hides, sealed for this task. */
  readonly sealed: string | null
  /** The tasks it takes files from, in the order the caller named them. */
  readonly inputs: readonly TaskRecord[]
}

/**
 * Turns a queue entry into a lease. Undefined: the entry is stale, or another worker was faster, and is dropped.
 * Fifty claims of one entry give one lease.
 */
export async function claimTask(context: Context, fence: Fence): Promise<Claim | undefined> {
  const { database } = context
  const jobId = await findJobOfTask(database.pool, fence.taskId)
  if (jobId === undefined) return undefined
  const claimed = await database.transaction((tx) => claim(tx, context, fence, jobId))
  if (!claimed) return undefined
  const task = await findTaskById(database.pool, fence.taskId)
  if (!task) return undefined
  const inputs = await Promise.all(task.dependsOn.map((id) => findTaskById(database.pool, id)))
  return {
    fence,
    task,
    failures: task.failures,
    sealed: task.sealed,
    inputs: inputs.filter((input) => input !== undefined),
  }
}

async function claim(tx: Executor, { ids }: Context, fence: Fence, jobId: ObjectId | null): Promise<boolean> {
  const [job] = jobId ? await lockJobs(tx, [jobId]) : []
  const lease = await takeLease(tx, fence)
  if (!lease) return false
  // A retry is invisible: only the first start is told.
  if (!lease.first) return true
  const log = createEventLog(ids, [job ? [job.id, job.seq] : [fence.taskId, lease.seq - 1]])
  if (job?.status === 'created') log.add('job.started', { jobId, taskId: null })
  log.add('task.started', { jobId, taskId: fence.taskId })
  if (job) {
    const status = job.status === 'created' ? 'processing' : job.status
    await updateJobs(tx, [{ ...job, status, seq: log.seqOf(job.id), errorCode: null, msg: null }])
  }
  await insertEvents(tx, log.events)
  return true
}
