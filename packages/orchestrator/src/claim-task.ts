import {
  type Executor,
  type Fence,
  findJobOfTask,
  findTasksById,
  insertEvents,
  isPartitionGone,
  type LeasedTask,
  lockJobs,
  type TaskRecord,
  takeJobLease,
  takeLease,
  takeLoneLease,
  updateJobs,
} from '@lathe/database'
import {
  type Allowance,
  allowanceOf,
  type EngineFamily,
  failure,
  isOutOfStorage,
  isQuarantined,
  type Lane,
  mostStarts,
  type ObjectId,
  outOfStorageText,
  type StorageUse,
} from '@lathe/domain'
import { kindOf, splitInputs, storesFiles } from '@lathe/operations'
import type { Entry, EventHint } from '@lathe/queue'
import type { Context } from './context.ts'
import { findEngineInput } from './engine-input.ts'
import { createEventLog } from './event-log.ts'
import { findInputs, mostInputFiles } from './find-inputs.ts'
import { type Attempt, endTask, type Standing } from './finish-task.ts'
import { mostStored } from './stored-files.ts'

/** A lease, with all that is needed to run the task. */
export interface Claim extends Attempt {
  readonly task: TaskRecord
  /** The engine family it waited for, if known. */
  readonly needs: EngineFamily | null
  /** The secret parts of the payload, sealed for this task. */
  readonly sealed: string | null
  /** The tasks that provide its input files, in the order the caller named them. */
  readonly inputs: readonly TaskRecord[]
  /** The tasks that provide additional files, by role. */
  readonly roles: Readonly<Record<string, readonly TaskRecord[]>>
  readonly standing: Standing
  /** The trace that the work belongs to; null if none is recorded. */
  readonly traceParent: string | null
  /** Which queue it waited in, and for how long. */
  readonly wait: { readonly pool: string; readonly lane: Lane; readonly ms: number }
  /** How long it may run, if the owner's plan sets a limit. */
  readonly allowance: Allowance | undefined
  /** How often its files did not fit into the scratch space of its worker. */
  readonly scratchReturns: number
  /** PostgreSQL's time of the claim, which decides whether its inputs have expired: the worker's clock may be wrong. */
  readonly claimedAt: Date
  /** What its owner had stored at the time of the claim. */
  readonly storage: StorageUse
}

/**
 * Turns a queue entry into a lease. Returns undefined if the entry is stale or another worker was faster; or if the
 * task has ended because it was started too often, has too many input files, its content is in quarantine, or its owner
 * is out of minutes or storage. Fifty claims of one entry give one lease.
 */
export async function claimTask(context: Context, fence: Fence, known: Known = {}): Promise<Claim | undefined> {
  const { leased, read } = await leaseAndRead(context, fence, known)
  if (!leased) return undefined
  if (fence.attempt > mostStarts) {
    await endTask(context, fence, failure('internal', { detail: `it was given back ${mostStarts} times` }))
    return undefined
  }
  const {
    failures,
    scratchReturns,
    sealed,
    monthMs,
    taskMs,
    hasDependants,
    hasWebhooks,
    hasCrashes,
    storedBytes,
    storageBytes,
    ...rest
  } = leased
  const { pool, lane, needs, waitedMs, traceParent, ...task } = rest
  const isPreview = typeof task.previewFile === 'number'
  // Previews use no minutes, so a plan without minutes does not stop them.
  const allowance = isPreview ? undefined : allowanceOf(kindOf(task.operation), { monthMs, taskMs })
  if (allowance?.ms === 0) {
    await endTask(context, fence, failure(allowance.code))
    return undefined
  }
  const storage = { used: storedBytes, most: mostStored(context.limits, storageBytes) }
  // A file may be empty, but hardly ever is.
  if (storesFiles(task.operation) && isOutOfStorage(storage, 1)) {
    await endTask(context, fence, failure('out_of_storage', { text: outOfStorageText(storage) }))
    return undefined
  }
  const found = await findAllInputs(context.database.pool, task, read)
  if (!found) {
    const text = `The inputs contain more than ${mostInputFiles} files, the maximum for one task. Use fewer inputs.`
    await endTask(context, fence, failure('limit_exceeded', { text }))
    return undefined
  }
  const { roles } = found
  const inputs = found.inputs.map((input) => onlyShown(input, task))
  const engineInput = await findEngineInput(context, task, [...inputs, ...Object.values(roles).flat()], hasCrashes)
  if (isQuarantined(engineInput?.crashes ?? 0)) {
    await endTask(context, fence, failure('input_quarantined'))
    return undefined
  }
  // The short path counts minutes and adds events.
  const isLone = task.jobId === null && !hasDependants && !hasWebhooks && !isPreview
  const from = inputs[0]?.files[0]?.format
  const standing = { ownerId: task.ownerId, isLone, from }
  const wait = { pool, lane, ms: waitedMs }
  return {
    fence,
    task,
    needs,
    from,
    failures,
    scratchReturns,
    sealed,
    inputs,
    roles,
    engineInput,
    allowance,
    standing,
    traceParent,
    wait,
    claimedAt: task.updatedAt,
    storage,
  }
}

/** A preview works on one of the files of its input. */
function onlyShown(input: TaskRecord, { previewFile }: TaskRecord): TaskRecord {
  return typeof previewFile === 'number' ? { ...input, files: input.files.filter(({ n }) => n === previewFile) } : input
}

/** The tasks whose files a task works on, and those of its roles. Undefined: together they have too many files. */
async function findAllInputs(
  db: Executor,
  { operation, payload, dependsOn }: TaskRecord,
  read: readonly TaskRecord[],
): Promise<Pick<Claim, 'inputs' | 'roles'> | undefined> {
  const split = splitInputs(operation, payload, dependsOn)
  const inputs = await findInputs(db, split.inputs, read)
  const roles: Record<string, readonly TaskRecord[]> = {}
  for (const [role, id] of Object.entries(split.roles)) {
    const found = await findInputs(db, [id], read)
    if (!found) return undefined
    roles[role] = found
  }
  return inputs && { inputs, roles }
}

/** What a queue entry contains about its task, which never changes. */
export type Known = Pick<Entry, 'job' | 'inputs'>

/** Requests the lease and, in the same round trip, the known inputs. */
async function leaseAndRead(context: Context, fence: Fence, { job, inputs = [] }: Known) {
  const short = await context.database.withConnection(async (connection) => {
    const [leased, read] = await Promise.all([
      leaseShort(connection, context, fence, job).catch(ifThere),
      findTasksById(connection, inputs),
    ])
    return { leased, read }
  })
  return short.leased ? short : { leased: await leaseLong(context, fence), read: short.read }
}

/** An entry is also stale if the partition of its task is gone. */
function ifThere(error: unknown): undefined {
  if (!isPartitionGone(error)) throw error
}

/** One statement leases most tasks; only owners with webhooks need more. */
async function leaseShort(
  db: Executor,
  { dispatch, ids }: Context,
  fence: Fence,
  jobId: ObjectId | undefined,
): Promise<LeasedTask | undefined> {
  const lease = jobId
    ? await takeJobLease(db, fence, { jobId, eventIds: [ids.next(), ids.next()] })
    : await takeLoneLease(db, fence, { id: ids.next(), type: 'task.started' })
  if (!lease) return undefined
  const { first, seq, task } = lease
  // Not awaited here and below: the work does not wait for listeners.
  if (first) void dispatch.reported([{ subjectId: jobId ?? task.id, ownerId: task.ownerId, seq }])
  return task
}

async function leaseLong({ database, dispatch, ids }: Context, fence: Fence): Promise<LeasedTask | undefined> {
  const jobId = await findJobOfTask(database.pool, fence.taskId)
  if (jobId === undefined) return undefined
  const taken = await database.transaction((tx) =>
    jobId === null ? leaseAlone(tx, { ids }, fence) : leaseInJob(tx, { ids }, fence, jobId),
  )
  if (taken) void dispatch.reported(taken.reported)
  return taken?.task
}

interface Taken {
  readonly task: LeasedTask
  readonly reported: readonly EventHint[]
}

async function leaseAlone(tx: Executor, { ids }: Pick<Context, 'ids'>, fence: Fence): Promise<Taken | undefined> {
  const taken = await takeLease(tx, fence)
  if (!taken?.first || typeof taken.task.previewFile === 'number') return taken && { task: taken.task, reported: [] }
  const { task, owner, seq } = taken
  const log = createEventLog(ids, [[task.id, seq - 1]])
  log.add('task.started', { jobId: null, taskId: task.id })
  await insertEvents(tx, owner, log.events)
  return { task, reported: log.hintsFor(owner.id) }
}

async function leaseInJob(
  tx: Executor,
  { ids }: Pick<Context, 'ids'>,
  fence: Fence,
  jobId: ObjectId,
): Promise<Taken | undefined> {
  const [[job], taken] = await Promise.all([lockJobs(tx, [jobId]), takeLease(tx, fence)])
  if (!taken) return undefined
  if (!job || !taken.first) return { task: taken.task, reported: [] }
  const log = createEventLog(ids, [[job.id, job.seq]])
  if (job.status === 'created') log.add('job.started', { jobId, taskId: null })
  log.add('task.started', { jobId, taskId: fence.taskId })
  const status = job.status === 'created' ? 'processing' : job.status
  await Promise.all([
    updateJobs(tx, [{ ...job, status, seq: log.seqOf(job.id), errorCode: null, msg: null }]),
    insertEvents(tx, taken.owner, log.events),
  ])
  return { task: taken.task, reported: log.hintsFor(taken.task.ownerId) }
}
