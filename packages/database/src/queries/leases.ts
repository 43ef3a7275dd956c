import type { EngineFamily, Lane, MinutesLeft, ObjectId, StoredEventType } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { idNow } from '../id-now.ts'
import { hourOf } from '../partitions.ts'
import { monthMsLeft, storageQuota, taskMsLeft } from './owner-plans.ts'
import { type TaskRecord, taskColumns } from './rows.ts'
import { type Dispatchable, dispatchColumns } from './slots.ts'
import { storedBytesSql } from './stored-bytes.ts'

/** What a worker holds: exactly this attempt of this task. Each of its writes is conditional on all three fields. */
export interface Fence {
  readonly taskId: ObjectId
  readonly attempt: number
  readonly workerId: ObjectId
}

/** The job of a task that may be claimed, read without a lock: it never changes. */
export async function findJobOfTask(db: Executor, taskId: ObjectId): Promise<ObjectId | null | undefined> {
  const { rows } = await db.query<{ jobId: ObjectId | null }>(`select job_id as "jobId" from tasks where id = $1`, [
    bytes(taskId),
  ])
  return rows[0]?.jobId
}

/** A leased task, with what only its worker may see. */
export interface LeasedTask extends TaskRecord, MinutesLeft {
  readonly failures: number
  /** How often its files did not fit into the scratch space of its worker. */
  readonly scratchReturns: number
  readonly sealed: string | null
  readonly pool: string
  readonly lane: Lane
  readonly needs: EngineFamily | null
  /** How long it was ready before its claim. */
  readonly waitedMs: number
  readonly traceParent: string | null
  /** Whether other tasks wait for it, or waited when it was claimed. */
  readonly hasDependants: boolean
  readonly hasWebhooks: boolean
  /** Whether content of its owner has crashed engines within the last days. */
  readonly hasCrashes: boolean
  /** The stored bytes of its owner, as far as they are known without the owner's lock. */
  readonly storedBytes: number
  /** Its quota, as in `OwnerPlan`. */
  readonly storageBytes: number | null
}

interface Lease {
  /** Whether this is the task's first start. A retry is invisible. */
  readonly first: boolean
  readonly task: LeasedTask
  /** The number of the last event of the task, or of its job. */
  readonly seq: number
  readonly owner: { readonly id: ObjectId; readonly hasWebhooks: boolean }
}

type LeaseRow = Omit<LeasedTask, 'files'> & Pick<Lease, 'first' | 'seq'>

// `now()` is the start time of the transaction, so only the transaction that set the start sees them as equal.
const leaseColumns = (
  tasks: string,
  inputs: string,
) => `${taskColumns}, t.failures, t.scratch_returns as "scratchReturns", t.sealed, t.seq, t.pool, t.lane, t.needs,
  t.started_at = now() as first, ${waitedMs(tasks)} as "waitedMs", t.trace_parent as "traceParent",
  exists (select from ${inputs} e where e.parent_id = $1) as "hasDependants",
  exists (select from crashed_inputs c where c.owner_id = t.owner_id) as "hasCrashes",
  o.has_webhooks as "hasWebhooks", ${monthMsLeft} as "monthMs", ${taskMsLeft} as "taskMs",
  ${storedBytesSql('t.owner_id')}::float8 as "storedBytes", ${storageQuota} as "storageBytes"`

// A statement reads rows as they were when it began: here as they were while waiting.
const waitedMs = (
  tasks: string,
) => `(select greatest(0, extract(epoch from now() - greatest(w.updated_at, w.not_before)) * 1000)::float8
  from ${tasks} w where w.id = $1)`

const takeLeaseSql = (tasks: string) => `update ${tasks} t
    set status = 'processing', worker_id = $3, started_at = coalesce(t.started_at, now()), updated_at = now(),
        sandbox_level = case when t.pool = 'process' then (select w.sandbox_level from workers w where w.id = $3) end,
        seq = t.seq + case when t.status = 'created' and t.job_id is null then 1 else 0 end
   from owners o
  where t.id = $1 and t.attempt = $2 and t.slot and t.worker_id is null and t.status in ('created', 'processing')
    and (t.not_before is null or t.not_before <= now()) and o.id = t.owner_id
    and not exists (
      select from workers w where w.id = $3 and (t.needs = any(w.lacks) or t.needs_version > w.catalog_version))`

/** Leases a task in a job, if the attempt is still the current one and no worker has it. */
export async function takeLease(tx: Executor, { taskId, attempt, workerId }: Fence): Promise<Lease | undefined> {
  const { rows } = await tx.query<LeaseRow>(
    `${takeLeaseSql('tasks')} returning ${leaseColumns('tasks', 'task_inputs')}`,
    [bytes(taskId), attempt, bytes(workerId)],
  )
  return toLease(rows[0])
}

/**
 * Leases a task outside any job and adds the event of its first start, in one statement. Not for owners with webhooks.
 */
export async function takeLoneLease(
  db: Executor,
  { taskId, attempt, workerId }: Fence,
  event: { readonly id: ObjectId; readonly type: StoredEventType },
): Promise<Lease | undefined> {
  const hour = hourOf(taskId)
  const { rows } = await db.query<LeaseRow>(
    `with lease as (
       ${takeLeaseSql(`tasks_p${hour}`)} and t.job_id is null and not o.has_webhooks
       returning ${leaseColumns(`tasks_p${hour}`, `task_inputs_p${hour}`)}
     ), inserted_events as (
       insert into events_p${hour} (subject_id, seq, id, type, task_id) select id, seq, ${idNow('$4::bytea')}, $5, id from lease where first and "previewFile" is null
     )
     select * from lease`,
    [bytes(taskId), attempt, bytes(workerId), bytes(event.id), event.type],
  )
  return toLease(rows[0])
}

/**
 * Leases a task in a job and adds the events of its first start and the job's, in one statement. Not for owners with
 * webhooks. The ids of a job share its second, so all of it is in the partitions of one hour.
 */
export async function takeJobLease(
  db: Executor,
  { taskId, attempt, workerId }: Fence,
  { jobId, eventIds }: { readonly jobId: ObjectId; readonly eventIds: readonly [ObjectId, ObjectId] },
): Promise<Lease | undefined> {
  const hour = hourOf(jobId)
  const { rows } = await db.query<LeaseRow & { readonly jobSeq: number | null }>(
    `with job as (
       select id, status from jobs_p${hour} where id = $4 for no key update
     ), lease as (
       ${takeLeaseSql(`tasks_p${hour}`)} and t.job_id = (select id from job) and not o.has_webhooks
       returning ${leaseColumns(`tasks_p${hour}`, `task_inputs_p${hour}`)}
     ), news as (
       select job.status = 'created' as begins from job, lease where lease.first
     ), moved as (
       update jobs_p${hour} j
          set status = case when news.begins then 'processing' else j.status end,
              seq = j.seq + case when news.begins then 2 else 1 end,
              started_at = coalesce(j.started_at, now()), updated_at = now()
         from news where j.id = $4
       returning j.seq, news.begins
     ), inserted_events as (
       insert into events_p${hour} (subject_id, seq, id, type, task_id)
       select $4::bytea, seq - 1, ${idNow('$5::bytea')}, 'job.started', null::bytea from moved where begins
       union all
       select $4, seq, ${idNow('$6::bytea')}, 'task.started', $1::bytea from moved
     )
     select lease.*, (select seq from moved) as "jobSeq" from lease`,
    [bytes(taskId), attempt, bytes(workerId), bytes(jobId), ...eventIds.map(bytes)],
  )
  const [row] = rows
  if (!row) return undefined
  const { jobSeq, ...lease } = row
  return toLease({ ...lease, seq: jobSeq ?? 0 })
}

// A running task has no files yet.
function toLease(row: LeaseRow | undefined): Lease | undefined {
  if (!row) return undefined
  const { first, seq, ...task } = row
  return { first, seq, owner: { id: task.ownerId, hasWebhooks: task.hasWebhooks }, task: { ...task, files: [] } }
}

export interface LeaseReturn {
  readonly fence: Fence
  readonly delayMs: number
  /** Whether the attempt counts as one of the task's failures. */
  readonly failed: boolean
  readonly detail: string | null
  /** Its new lane; unchanged if not given. */
  readonly lane?: Lane | undefined
  /** The family of engines it needs, which its worker does not have; unchanged if not given. */
  readonly needs?: EngineFamily | undefined
  /** Whether its files did not fit into the scratch space of its worker. */
  readonly isOverScratch?: boolean | undefined
}

/** Requeues the task as its next attempt. Undefined: the fence is stale. */
export async function returnLease(
  db: Executor,
  { fence, delayMs, failed, detail, lane, needs, isOverScratch }: LeaseReturn,
): Promise<Dispatchable | undefined> {
  const { rows } = await db.query<Dispatchable>(
    `update tasks t
        set attempt = attempt + 1, worker_id = null, engine_at = null, failures = failures + $4::integer, detail = $6,
            not_before = now() + $5 * interval '1 millisecond', lane = coalesce($7, lane), needs = coalesce($8, needs),
            scratch_returns = scratch_returns + $9::integer, updated_at = now()
      where id = $1 and attempt = $2 and worker_id = $3 and status = 'processing'
      returning ${dispatchColumns}`,
    [
      bytes(fence.taskId),
      fence.attempt,
      bytes(fence.workerId),
      failed ? 1 : 0,
      delayMs,
      detail,
      lane ?? null,
      needs ?? null,
      isOverScratch ? 1 : 0,
    ],
  )
  return rows[0]
}

/** What happens to a task whose worker died. */
export interface Revocation {
  readonly lane: Lane
  /** Whether the death counts against the task. */
  readonly isBlamed: boolean
}

/** Revokes the lease of a dead worker; the task continues as its next attempt. */
export async function revokeLease(
  db: Executor,
  { taskId, attempt, workerId }: Fence,
  { lane, isBlamed }: Revocation,
): Promise<Dispatchable | undefined> {
  const { rows } = await db.query<Dispatchable>(
    `update tasks t
        set attempt = attempt + 1, worker_id = null, engine_at = null, worker_deaths = worker_deaths + $4::integer,
            lane = $5, not_before = null, updated_at = now()
      where id = $1 and attempt = $2 and worker_id = $3 and status = 'processing'
      returning ${dispatchColumns}`,
    [bytes(taskId), attempt, bytes(workerId), isBlamed ? 1 : 0, lane],
  )
  return rows[0]
}

/** A task whose queue entry may be lost. */
export interface Unclaimed extends Dispatchable {
  readonly delayMs: number
}

/** The queue that a task waits in, and the last of its tasks that was found before. */
export interface QueuePlace {
  readonly pool: string
  readonly lane: Lane
  readonly needs: EngineFamily | null
  readonly last: ObjectId
}

/**
 * Tasks with a slot that no worker has claimed for a while: their queue entry may be lost. At most `limit` of each
 * queue, so that a long queue hides no other: those that follow the last one found before, then the oldest again. Reads
 * the index of waiting tasks, all of it.
 */
export async function findUnclaimed(
  db: Executor,
  { since, places, limit }: { since: ObjectId; places: readonly QueuePlace[]; limit: number },
): Promise<readonly Unclaimed[]> {
  const { rows } = await db.query<Unclaimed>(
    `select ${dispatchColumns}, greatest(0, extract(epoch from t.not_before - now()) * 1000)::int as "delayMs"
       from (
         select w.*, row_number() over (partition by w.pool, w.lane, w.needs
                                        order by coalesce(w.id <= p.last, false), w.id) as turn
           from (select id, pool, attempt, owner_id, job_id, depends_on, lane, needs, not_before from tasks
                  where id >= $1 and slot and worker_id is null and updated_at < now() - interval '2 seconds') w
           left join unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) as p(pool, lane, needs, last)
             on p.pool = w.pool and p.lane = w.lane and p.needs is not distinct from w.needs
       ) t
      where turn <= $6 order by t.pool, t.lane, t.needs, turn`,
    [
      bytes(since),
      places.map(({ pool }) => pool),
      places.map(({ lane }) => lane),
      places.map(({ needs }) => needs),
      manyBytes(places.map(({ last }) => last)),
      limit,
    ],
  )
  return rows.map((row) => ({ ...row, delayMs: row.delayMs ?? 0 }))
}

/** How long engines have worked on a claimed task so far; null while none runs. */
export interface EngineNote {
  readonly fence: Fence
  readonly engineMs: number | null
}

/**
 * Records for which tasks of a worker an engine is running, and returns those it was recorded for. For the others the
 * fence is stale, or another transaction has them locked and this one does not wait.
 */
export async function noteEngines(db: Executor, workerId: ObjectId, notes: readonly EngineNote[]): Promise<ObjectId[]> {
  if (notes.length === 0) return []
  const { rows } = await db.query<{ id: ObjectId }>(
    `with held as (
       select t.id, n.ms from unnest($1::bytea[], $2::integer[], $3::float8[]) as n(id, attempt, ms)
         join tasks t on t.id = n.id and t.attempt = n.attempt
        where t.id = any($1::bytea[]) and t.worker_id = $4 and t.status = 'processing'
          for no key update of t skip locked
     )
     update tasks t set engine_at = coalesce(now() - held.ms * interval '1 millisecond', 'infinity') from held
      where t.id = held.id and t.id = any($1::bytea[]) returning t.id`,
    [
      manyBytes(notes.map(({ fence }) => fence.taskId)),
      notes.map(({ fence }) => fence.attempt),
      notes.map(({ engineMs }) => engineMs),
      bytes(workerId),
    ],
  )
  return rows.map(({ id }) => id)
}

/** Which of these leases the worker has lost: canceled, deleted, expired or claimed by another. */
export async function findRevoked(db: Executor, workerId: ObjectId, held: readonly Fence[]): Promise<ObjectId[]> {
  if (held.length === 0) return []
  const ids = manyBytes(held.map(({ taskId }) => taskId))
  const { rows } = await db.query<{ id: ObjectId }>(
    `select h.id from unnest($1::bytea[], $2::integer[]) as h(id, attempt)
      where not exists (
        select 1 from tasks t
         where t.id = h.id and t.id = any($1::bytea[])
           and t.attempt = h.attempt and t.worker_id = $3 and t.status = 'processing')`,
    [ids, held.map(({ attempt }) => attempt), bytes(workerId)],
  )
  return rows.map(({ id }) => id)
}

/** Leases that are stored for this worker but that it does not know: the answer to a claim or an end was lost. */
export async function findForgotten(db: Executor, workerId: ObjectId, held: readonly Fence[]): Promise<Fence[]> {
  const { rows } = await db.query<Fence>(
    `select id as "taskId", attempt, worker_id as "workerId" from tasks
      where worker_id = $1 and status = 'processing' and not (id = any($2::bytea[]))
        and updated_at < now() - interval '5 seconds'`,
    [bytes(workerId), manyBytes(held.map(({ taskId }) => taskId))],
  )
  return rows
}

/** The trace of a task, or of a job's first task. */
export async function findTraceParent(
  db: Executor,
  { taskId, jobId }: { readonly taskId: ObjectId | null; readonly jobId: ObjectId | null },
): Promise<string | null> {
  const [column, id] = taskId ? ['id', taskId] : ['job_id', jobId]
  if (!id) return null
  const { rows } = await db.query<{ traceParent: string | null }>(
    `select trace_parent as "traceParent" from tasks_p${hourOf(id)} where ${column} = $1 limit 1`,
    [bytes(id)],
  )
  return rows[0]?.traceParent ?? null
}
