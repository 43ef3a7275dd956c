import {
  type Executor,
  findParents,
  insertEvents,
  insertJob,
  insertJobWebhook,
  insertTasks,
  type JobRecord,
  lockOwner,
  type ParentTask,
  type TaskInsert,
  type TaskRecord,
} from '@lathe/database'
import {
  invalidField,
  type JobErrorCode,
  jobEvent,
  type ObjectId,
  oldestShownAt,
  Problem,
  taskEvent,
} from '@lathe/domain'
import type { EventHint } from '@lathe/queue'
import { admit } from './admit.ts'
import type { Caller, Context } from './context.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { type Answer, type Idempotency, oncePerKey } from './idempotent.ts'
import { type Creation, failedAtCreation, type NewTask, planCreation } from './plan-creation.ts'
import { toWork } from './pools.ts'
import { refuseLonelyMerges } from './refuse-lonely-merges.ts'
import { jobMessages } from './settle-tasks.ts'

export interface NewJob {
  readonly id: ObjectId
  readonly tag: string | null
  readonly tasks: readonly NewTask[]
  /** The address its events are told to, sealed for its id. */
  readonly sealedWebhook?: string
}

/** Writes a job with all its tasks, edges and events in one transaction, and queues what may run. */
export async function createJob(
  context: Context,
  caller: Caller,
  job: NewJob,
  idempotency?: Idempotency,
): Promise<Answer<JobRecord>> {
  // Its tasks are looked up in the partition, and the second, of the job.
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
  return create(context, caller, { jobId: null, tag: null, tasks: [task] }, idempotency, ({ tasks: [record] }) => {
    if (!record) throw new Error('a task was asked for')
    return record
  })
}

interface Request {
  readonly jobId: ObjectId | null
  readonly tag: string | null
  readonly tasks: readonly NewTask[]
  readonly sealedWebhook?: string
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
      const { created, admitted, told } = await write(tx, context, caller, request)
      work = admitted.map((task) => toWork(task))
      hints = told
      return pick(created)
    })
  })
  if (answer.kind === 'fresh') {
    for (const { operation } of request.tasks) context.metrics.tasksCreated.inc({ operation })
    // Not awaited: the answer does not wait for Redis, and what it misses the reconciler repeats.
    void context.dispatch.enqueue(work)
    void context.dispatch.told(hints)
  }
  return answer
}

async function write(tx: Executor, context: Context, caller: Caller, request: Request) {
  const now = context.clock.now()
  const [owner, parents] = await Promise.all([
    lockOwner(tx, caller.ownerId),
    loadParents(tx, caller, request.tasks, now),
  ])
  if (!owner) throw new Problem('unauthorized')
  const creation = planCreation({ caller, owner, parents, now, jobId: request.jobId, tasks: request.tasks })
  const log = createEventLog(context.ids, [])
  tell(log, request.jobId, creation)
  const { jobId, sealedWebhook: sealed } = request
  // Admitted last: a new task may be the oldest that is ready. The address comes before the events that go there.
  const [, , , , fromBacklog] = await Promise.all([
    jobId && sealed && insertJobWebhook(tx, { jobId, ownerId: owner.id, sealed }),
    jobId && insertJob(tx, { ...jobInsert(caller, request, creation, now), seq: log.seqOf(jobId) }),
    insertTasks(
      tx,
      creation.tasks.map((task) => ({ ...task, seq: log.seqOf(task.id) })),
    ),
    insertEvents(tx, owner, log.events),
    admit(tx, { ownerId: owner.id, plan: creation.slots, now }),
  ])
  const admitted = [...creation.tasks.filter(({ slot }) => slot), ...fromBacklog]
  return { created: toRecords(caller, request, creation, now), admitted, told: log.hintsFor(owner.id) }
}

async function loadParents(tx: Executor, { ownerId }: Caller, tasks: readonly NewTask[], now: Date) {
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
  await refuseLonelyMerges(tx, tasks, parents)
  return parents
}

function tell(log: EventLog, jobId: ObjectId | null, { tasks, jobStatus }: Creation): void {
  if (jobId) log.add('job.created', { jobId, taskId: null })
  for (const { id } of tasks) log.add('task.created', { jobId, taskId: id })
  for (const { id, status } of tasks) if (status !== 'created') log.add(taskEvent(status), { jobId, taskId: id })
  if (jobId && jobStatus !== 'created') log.add(jobEvent(jobStatus), { jobId, taskId: null })
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

function toRecord({
  position: _,
  pool: __,
  pending: ___,
  slot: ____,
  sealed: _____,
  ...task
}: Omit<TaskInsert, 'seq'>): TaskRecord {
  return { ...task, warnings: [], exported: null, files: [] }
}
