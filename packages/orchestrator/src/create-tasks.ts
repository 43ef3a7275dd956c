import {
  countDependants,
  countFailedAtOnce,
  type Executor,
  type FailedAtOnce,
  findFormats,
  findParents,
  insertEvents,
  insertJob,
  insertJobWebhook,
  insertTasks,
  insertWebhook,
  type JobRecord,
  type LockedOwner,
  lockOwner,
  noteWebhooks,
  type ParentTask,
  type TaskRecord,
  type WebhookRecord,
} from '@lathe/database'
import {
  invalidField,
  isOpen,
  type JobErrorCode,
  type ObjectId,
  oldestShownAt,
  Problem,
  usagePairOf,
} from '@lathe/domain'
import { kindOf } from '@lathe/operations'
import type { EventHint } from '@lathe/queue'
import { admit, ranked } from './admit.ts'
import type { Caller, Context } from './context.ts'
import { createLone } from './create-lone.ts'
import { createEventLog } from './event-log.ts'
import { type Answer, type Idempotency, oncePerKey } from './idempotent.ts'
import {
  type Creation,
  failedAtCreation,
  type InputRef,
  logCreation,
  type NewTask,
  planCreation,
  toRecord,
} from './plan-creation.ts'
import { poolOf, toWork } from './pools.ts'
import { refuseTooFewFiles } from './refuse-too-few-files.ts'
import { jobMessages } from './settle-tasks.ts'

export interface NewJob {
  readonly id: ObjectId
  readonly tag: string | null
  readonly tasks: readonly NewTask[]
  /** Where its events are sent, if it has a `webhook_url`. */
  readonly webhook?: NewJobWebhook
}

export interface NewJobWebhook {
  /** The URL, sealed for the id of the job. */
  readonly sealedUrl: string
  /** The webhook that represents the URLs of all jobs of the owner; written if there is none yet. */
  readonly ofAllJobs: WebhookRecord
}

/** Writes a job with all its tasks, edges and events in one transaction, and queues tasks that may run. */
export async function createJob(
  context: Context,
  caller: Caller,
  job: NewJob,
  idempotency?: Idempotency,
): Promise<Answer<JobRecord>> {
  // Its tasks are looked up in the partition and the second of the job.
  if (job.tasks.some(({ id }) => id.slice(0, 8) !== job.id.slice(0, 8)))
    throw new Error('ids of a job share its second')
  const { id: jobId, ...rest } = job
  return create(context, caller, { jobId, ...rest }, idempotency, ({ job: record }) => {
    if (!record) throw new Error('a job was asked for')
    return record
  })
}

/** Writes one task outside any job. */
export async function createTask(
  context: Context,
  caller: Caller,
  task: NewTask,
  idempotency?: Idempotency,
): Promise<Answer<TaskRecord>> {
  const lone = idempotency ? undefined : await createLone(context, caller, task)
  if (lone) return { kind: 'fresh', record: lone }
  return create(context, caller, { jobId: null, tag: null, tasks: [task] }, idempotency, ({ tasks: [record] }) => {
    if (!record) throw new Error('a task was asked for')
    return record
  })
}

interface Request {
  readonly jobId: ObjectId | null
  readonly tag: string | null
  readonly tasks: readonly NewTask[]
  readonly webhook?: NewJobWebhook
}

interface Created {
  readonly job: JobRecord | undefined
  readonly tasks: readonly TaskRecord[]
}

async function create<T extends JobRecord | TaskRecord>(
  context: Context,
  caller: Caller,
  request: Request,
  idempotency: Idempotency | undefined,
  pick: (created: Created) => T,
): Promise<Answer<T>> {
  let work: ReturnType<typeof toWork>[] = []
  let hints: readonly EventHint[] = []
  const answer = await context.database.transaction((tx) => {
    work = []
    return oncePerKey(tx, context, caller, idempotency, async () => {
      const { created, admitted, reported } = await write(tx, context, caller, request)
      work = admitted.map((task) => toWork(task))
      hints = reported
      return pick(created)
    })
  })
  if (answer.kind === 'fresh') {
    for (const { operation } of request.tasks) context.metrics.tasksCreated.inc({ operation })
    // Not awaited: the response does not wait for Redis, and the reconciler repeats what Redis misses.
    void context.dispatch.enqueue(work)
    void context.dispatch.reported(hints)
  }
  return answer
}

async function write(tx: Executor, context: Context, caller: Caller, request: Request) {
  const now = context.clock.now()
  const { jobId, webhook } = request
  const [found, { parents, formats }] = await Promise.all([
    lockOwner(tx, caller.ownerId),
    loadParents(tx, context, caller, request.tasks, now),
  ])
  if (!found) throw new Problem('unauthorized')
  if (webhook && (await insertWebhook(tx, webhook.ofAllJobs))) await noteWebhooks(tx, found.id)
  const owner = webhook ? { ...found, hasWebhooks: true } : found
  const creation = planCreation({ caller, owner, parents, formats, now, jobId, tasks: request.tasks })
  const opened = creation.tasks.filter(({ status }) => isOpen(status)).length
  refuseTooManyOpen(context, owner, opened)
  const log = createEventLog(context.ids, [])
  logCreation(log, jobId, creation)
  const tasks = creation.tasks.map((task) => ({ ...task, seq: log.seqOf(task.id) }))
  // The statements run in this order: the URL is written before the events sent to it, and admission comes after all,
  // because a new task may be the oldest that is ready.
  const written = [
    jobId && webhook && insertJobWebhook(tx, { jobId, ownerId: owner.id, sealed: webhook.sealedUrl }),
    jobId && insertJob(tx, { ...jobInsert(caller, request, creation, now), seq: log.seqOf(jobId) }),
    insertTasks(tx, tasks),
    insertEvents(tx, owner, log.events),
    countFailedAtOnce(tx, owner.id, failedAtOnce(creation)),
  ]
  const [fromBacklog] = await Promise.all([
    admit(tx, { ownerId: owner.id, plan: creation.slots, now, opened }),
    ...written,
  ])
  const granted = creation.tasks.filter(({ slot }) => slot)
  const admitted = [...ranked(granted, creation.slots.slotsUsed - granted.length), ...fromBacklog]
  return { created: toRecords(caller, request, creation, now), admitted, reported: log.hintsFor(owner.id) }
}

/** Tasks that fail on creation, as usage counts them. */
function failedAtOnce({ tasks }: Creation): readonly FailedAtOnce[] {
  return tasks
    .filter(({ status }) => status === 'failed')
    .map(({ operation, payload, needs }) => ({
      operation,
      ...usagePairOf({ kind: kindOf(operation), to: payload.output_format }),
      engine: needs,
    }))
}

function refuseTooManyOpen({ limits, metrics }: Context, { openTasks }: LockedOwner, opened: number): void {
  const most = limits?.openTasksPerOwner ?? Number.POSITIVE_INFINITY
  if (openTasks + opened <= most) return
  metrics.admissionsRefused.inc({ reason: 'open_tasks' })
  const msg = `${openTasks} of your tasks have not ended, and at most ${most} may be open at once. Wait until some have ended.`
  throw new Problem('rate_limited', { msg })
}

async function loadParents(tx: Executor, context: Context, { ownerId }: Caller, tasks: readonly NewTask[], now: Date) {
  const refs = tasks.flatMap(({ inputs }) => inputs.filter((ref) => ref.kind === 'task'))
  const ids = [...new Set(refs.map(({ id }) => id))]
  const found = await findParents(tx, { ownerId, ids, since: oldestShownAt(now) })
  const parents = new Map<ObjectId, ParentTask>(found.map((parent) => [parent.id, parent]))
  for (const { id, path } of refs) {
    const parent = parents.get(id)
    if (!parent)
      throw invalidField(
        path,
        `There is no task ${id}, or it was deleted or has expired. Name a task of yours.`,
        'not_found',
      )
  }
  const [formats] = await Promise.all([
    findFormats(tx, firstInputs(tasks)),
    refuseTooManyDependants(tx, context, tasks, parents),
    refuseTooFewFiles(tx, tasks, parents),
  ])
  return { parents, formats }
}

/** The tasks whose files decide which engines are needed. */
function firstInputs(tasks: readonly NewTask[]): readonly ObjectId[] {
  const inputs = tasks.flatMap(({ operation, inputs: [first] }) =>
    poolOf(operation) === 'process' && first ? [first] : [],
  )
  return [...new Set(inputs.flatMap((ref) => (ref.kind === 'task' ? [ref.id] : [])))]
}

/** An ended task has no waiting dependants, and may be an input any number of times. */
async function refuseTooManyDependants(
  tx: Executor,
  { limits, metrics }: Context,
  tasks: readonly NewTask[],
  parents: ReadonlyMap<ObjectId, ParentTask>,
): Promise<void> {
  const open = tasks.flatMap(({ inputs }) => firstOfEach(inputs.filter((ref) => isOpenTask(ref, parents))))
  const most = limits?.dependantsPerTask ?? Number.POSITIVE_INFINITY
  const waiting = new Map(await countDependants(tx, [...new Set(open.map(({ id }) => id))]))
  for (const { id, path } of open) {
    const count = waiting.get(id) ?? 0
    if (count >= most) {
      metrics.admissionsRefused.inc({ reason: 'dependants' })
      const msg = `${count} tasks wait for task ${id}, and at most ${most} may. Wait until it has ended, or import its file again.`
      throw invalidField(path, msg)
    }
    waiting.set(id, count + 1)
  }
}

type EarlierTask = Extract<InputRef, { kind: 'task' }>

function isOpenTask(ref: InputRef, parents: ReadonlyMap<ObjectId, ParentTask>): ref is EarlierTask {
  return ref.kind === 'task' && isOpen(parents.get(ref.id)?.status ?? 'failed')
}

/** A task that names another one several times waits for it once. */
function firstOfEach(refs: readonly EarlierTask[]): readonly EarlierTask[] {
  return [...new Map(refs.toReversed().map((ref) => [ref.id, ref])).values()]
}

function jobInsert({ ownerId, userId }: Caller, { jobId, tag, tasks }: Request, { jobStatus }: Creation, now: Date) {
  const errorCode: JobErrorCode | null = jobStatus === 'failed' ? failedAtCreation : null
  return {
    id: jobId ?? '',
    ownerId,
    userId,
    tag,
    status: jobStatus,
    errorCode,
    msg: errorCode && jobMessages[errorCode],
    remaining: tasks.length,
    createdAt: now,
  }
}

function toRecords(caller: Caller, request: Request, creation: Creation, now: Date): Created {
  const tasks = creation.tasks.map(toRecord)
  if (!request.jobId) return { job: undefined, tasks }
  const { remaining: _, userId: __, ...job } = jobInsert(caller, request, creation, now)
  const startedAt = job.status === 'created' ? null : now
  const endedAt = job.status === 'failed' ? now : null
  return { job: { ...job, startedAt, endedAt, updatedAt: now, tasks }, tasks }
}
