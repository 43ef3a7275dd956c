import {
  type Executor,
  type Fence,
  findJobOfTask,
  insertEvents,
  type LeasedTask,
  lockJobs,
  type TaskRecord,
  takeLease,
  takeLoneLease,
  updateJobs,
} from '@lathe/database'
import { type Allowance, allowanceOf, failure, isQuarantined, mostStarts, type ObjectId } from '@lathe/domain'
import type { EventHint } from '@lathe/queue'
import type { Context } from './context.ts'
import { findEngineInput } from './engine-input.ts'
import { createEventLog } from './event-log.ts'
import { findInputs, mostInputFiles } from './find-inputs.ts'
import { type Attempt, endTask } from './finish-task.ts'

/** A lease, with all that is needed to do the work. */
export interface Claim extends Attempt {
  readonly task: TaskRecord
  /** What the payload hides, sealed for this task. */
  readonly sealed: string | null
  /** The tasks it takes files from, in the order the caller named them. */
  readonly inputs: readonly TaskRecord[]
  /** How long it may work, where the owner's plan sets a limit. */
  readonly allowance: Allowance | undefined
}

/**
 * Turns a queue entry into a lease. Undefined: the entry is stale, or another worker was faster, and is dropped;
 * or its content is in quarantine or its owner out of minutes, and the task has ended. Fifty claims of one entry give one lease.
 */
export async function claimTask(context: Context, fence: Fence): Promise<Claim | undefined> {
  const leased = await lease(context, fence)
  if (!leased) return undefined
  if (fence.attempt > mostStarts) {
    await endTask(context, fence, failure('internal', { detail: `it was given back ${mostStarts} times` }))
    return undefined
  }
  const { failures, sealed, monthMs, taskMs, ...task } = leased
  const allowance = allowanceOf(task.operation, { monthMs, taskMs })
  if (allowance?.ms === 0) {
    await endTask(context, fence, failure(allowance.code))
    return undefined
  }
  const inputs = await findInputs(context.database.pool, task.dependsOn)
  if (!inputs) {
    const text = `The inputs hold more than ${mostInputFiles} files, the most one task takes. Name fewer.`
    await endTask(context, fence, failure('limit_exceeded', { text }))
    return undefined
  }
  const engineInput = await findEngineInput(context, task, inputs)
  if (isQuarantined(engineInput?.crashes ?? 0)) {
    await endTask(context, fence, failure('input_quarantined'))
    return undefined
  }
  return { fence, task, failures, sealed, inputs, engineInput, allowance }
}

/** Most tasks outside a job are had with one statement; only a job has to be locked first, and webhooks told too. */
async function lease({ database, dispatch, ids }: Context, fence: Fence): Promise<LeasedTask | undefined> {
  const lone = await takeLoneLease(database.pool, fence, { id: ids.next(), type: 'task.started' })
  if (lone) {
    const { first, seq, task } = lone
    // Not awaited here and below: the work does not wait for who listens to it.
    if (first) void dispatch.told([{ subjectId: task.id, ownerId: task.ownerId, seq }])
    return task
  }
  const jobId = await findJobOfTask(database.pool, fence.taskId)
  if (jobId === undefined) return undefined
  const taken = await database.transaction((tx) =>
    jobId === null ? leaseAlone(tx, { ids }, fence) : leaseInJob(tx, { ids }, fence, jobId),
  )
  if (taken) void dispatch.told(taken.told)
  return taken?.task
}

interface Taken {
  readonly task: LeasedTask
  readonly told: readonly EventHint[]
}

async function leaseAlone(tx: Executor, { ids }: Pick<Context, 'ids'>, fence: Fence): Promise<Taken | undefined> {
  const taken = await takeLease(tx, fence)
  if (!taken?.first) return taken && { task: taken.task, told: [] }
  const { task, owner, seq } = taken
  const log = createEventLog(ids, [[task.id, seq - 1]])
  log.add('task.started', { jobId: null, taskId: task.id })
  await insertEvents(tx, owner, log.events)
  return { task, told: log.hintsFor(owner.id) }
}

async function leaseInJob(
  tx: Executor,
  { ids }: Pick<Context, 'ids'>,
  fence: Fence,
  jobId: ObjectId,
): Promise<Taken | undefined> {
  const [[job], taken] = await Promise.all([lockJobs(tx, [jobId]), takeLease(tx, fence)])
  if (!taken) return undefined
  if (!job || !taken.first) return { task: taken.task, told: [] }
  const log = createEventLog(ids, [[job.id, job.seq]])
  if (job.status === 'created') log.add('job.started', { jobId, taskId: null })
  log.add('task.started', { jobId, taskId: fence.taskId })
  const status = job.status === 'created' ? 'processing' : job.status
  await Promise.all([
    updateJobs(tx, [{ ...job, status, seq: log.seqOf(job.id), errorCode: null, msg: null }]),
    insertEvents(tx, taken.owner, log.events),
  ])
  return { task: taken.task, told: log.hintsFor(taken.task.ownerId) }
}
