import type { MinutesLeft, ObjectId, StoredEventType } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { monthMsLeft, taskMsLeft } from './owner-plans.ts'
import { type TaskRecord, taskColumns } from './rows.ts'
import type { Dispatchable } from './slots.ts'

/** What a worker holds: this attempt of this task, and no other. Every write of it is conditional on the three. */
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

/** A task whose lease was taken, with what only the one who works on it may see. */
export interface LeasedTask extends TaskRecord, MinutesLeft {
  readonly failures: number
  readonly sealed: string | null
}

interface Lease {
  /** Whether this is the task's first start. A retry is invisible. */
  readonly first: boolean
  readonly task: LeasedTask
  /** The number of the task's last event, if it is outside any job. */
  readonly seq: number
  readonly owner: { readonly id: ObjectId; readonly hasWebhooks: boolean }
}

type LeaseRow = Omit<LeasedTask, 'files'> & Pick<Lease, 'first' | 'seq'> & { readonly hasWebhooks: boolean }

// `now()` is the transaction's own time: only who set the start sees it as its own.
const leaseColumns = `${taskColumns}, t.failures, t.sealed, t.seq, t.started_at = now() as first,
  (select o.has_webhooks from owners o where o.id = t.owner_id) as "hasWebhooks",
  (select ${monthMsLeft} from owners o where o.id = t.owner_id) as "monthMs",
  (select ${taskMsLeft} from owners o where o.id = t.owner_id) as "taskMs"`

const takeLeaseSql = `update tasks t
    set status = 'processing', worker_id = $3, started_at = coalesce(t.started_at, now()), updated_at = now(),
        sandbox_level = case when t.pool = 'process' then (select w.sandbox_level from workers w where w.id = $3) end,
        seq = t.seq + case when t.status = 'created' and t.job_id is null then 1 else 0 end
  where t.id = $1 and t.attempt = $2 and t.slot and t.worker_id is null and t.status in ('created', 'processing')
    and (t.not_before is null or t.not_before <= now())`

/** Takes the lease of a task in a job, if the attempt is still the current one and nobody has it. */
export async function takeLease(tx: Executor, { taskId, attempt, workerId }: Fence): Promise<Lease | undefined> {
  const { rows } = await tx.query<LeaseRow>(`${takeLeaseSql} returning ${leaseColumns}`, [
    bytes(taskId),
    attempt,
    bytes(workerId),
  ])
  return toLease(rows[0])
}

/** Takes the lease of a task outside any job, and tells of its first start, in one statement. Not where webhooks are to be told. */
export async function takeLoneLease(
  db: Executor,
  { taskId, attempt, workerId }: Fence,
  event: { readonly id: ObjectId; readonly type: StoredEventType },
): Promise<Lease | undefined> {
  const { rows } = await db.query<LeaseRow>(
    `with lease as (
       ${takeLeaseSql} and t.job_id is null
         and not exists (select from owners o where o.id = t.owner_id and o.has_webhooks) returning ${leaseColumns}
     ), told as (
       insert into events (subject_id, seq, id, type, task_id) select id, seq, $4, $5, id from lease where first
     )
     select * from lease`,
    [bytes(taskId), attempt, bytes(workerId), bytes(event.id), event.type],
  )
  return toLease(rows[0])
}

// A task that is being worked on has made no files yet.
function toLease(row: LeaseRow | undefined): Lease | undefined {
  if (!row) return undefined
  const { first, seq, hasWebhooks, ...task } = row
  return { first, seq, owner: { id: task.ownerId, hasWebhooks }, task: { ...task, files: [] } }
}

export interface LeaseReturn {
  readonly fence: Fence
  readonly delayMs: number
  /** Whether the attempt counts as one of the task's failures. */
  readonly failed: boolean
  readonly detail: string | null
}

/** Gives the task back to the queue as its next attempt. Undefined: the fence no longer holds. */
export async function returnLease(
  db: Executor,
  { fence, delayMs, failed, detail }: LeaseReturn,
): Promise<Dispatchable | undefined> {
  const { rows } = await db.query<Dispatchable>(
    `update tasks
        set attempt = attempt + 1, worker_id = null, failures = failures + $4::integer, detail = $6,
            not_before = now() + $5 * interval '1 millisecond', updated_at = now()
      where id = $1 and attempt = $2 and worker_id = $3 and status = 'processing'
      returning id, pool, attempt, owner_id as "ownerId"`,
    [bytes(fence.taskId), fence.attempt, bytes(fence.workerId), failed ? 1 : 0, delayMs, detail],
  )
  return rows[0]
}

/** Takes a lease away from a worker that is dead, as the task's next attempt. */
export async function revokeLease(
  db: Executor,
  { taskId, attempt, workerId }: Fence,
): Promise<Dispatchable | undefined> {
  const { rows } = await db.query<Dispatchable>(
    `update tasks
        set attempt = attempt + 1, worker_id = null, worker_deaths = worker_deaths + 1, not_before = null, updated_at = now()
      where id = $1 and attempt = $2 and worker_id = $3 and status = 'processing'
      returning id, pool, attempt, owner_id as "ownerId"`,
    [bytes(taskId), attempt, bytes(workerId)],
  )
  return rows[0]
}

/** Tasks with a slot that no worker has taken for a while: their queue entry may be lost. */
export async function findUnclaimed(
  db: Executor,
  { pool, since, limit }: { pool: string; since: ObjectId; limit: number },
): Promise<(Dispatchable & { delayMs: number })[]> {
  const { rows } = await db.query<Dispatchable & { delayMs: number }>(
    `select id, pool, attempt, owner_id as "ownerId", greatest(0, extract(epoch from not_before - now()) * 1000)::int as "delayMs"
       from tasks
      where pool = $1 and id >= $2 and slot and worker_id is null and updated_at < now() - interval '2 seconds'
      order by id limit $3`,
    [pool, bytes(since), limit],
  )
  return rows.map((row) => ({ ...row, delayMs: row.delayMs ?? 0 }))
}

/** Which of these leases are no longer the worker's: canceled, deleted, expired or given to another. */
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

/** Leases the record says are this worker's but that it does not know of: the answer to a claim or an end was lost. */
export async function findForgotten(db: Executor, workerId: ObjectId, held: readonly Fence[]): Promise<Fence[]> {
  const { rows } = await db.query<Fence>(
    `select id as "taskId", attempt, worker_id as "workerId" from tasks
      where worker_id = $1 and status = 'processing' and not (id = any($2::bytea[]))
        and updated_at < now() - interval '5 seconds'`,
    [bytes(workerId), manyBytes(held.map(({ taskId }) => taskId))],
  )
  return rows
}
