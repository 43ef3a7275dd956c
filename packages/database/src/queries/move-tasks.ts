import type {
  EngineFamily,
  ExportedFile,
  FailureCode,
  JobErrorCode,
  JobStatus,
  ObjectId,
  StoredEventType,
  TaskErrorCode,
  TaskStatus,
  TaskTimes,
  UsagePair,
} from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { idNow } from '../id-now.ts'
import { queueDeliveriesSql } from './deliveries.ts'
import { addUsageSql } from './usage.ts'

/** A task's new state. Everything else stays unchanged. */
export interface TaskUpdate {
  readonly id: ObjectId
  readonly status: TaskStatus
  readonly errorCode: TaskErrorCode | null
  readonly reason: FailureCode | null
  readonly msg: string | null
  readonly detail: string | null
  readonly warnings: readonly string[]
  readonly exported: readonly ExportedFile[] | null
  /** Null if no worker ended it: stored times stay. */
  readonly times: TaskTimes | null
  readonly seq: number
  /** How usage counts it; null for a task that had ended before. */
  readonly use: TaskUse | null
}

/** What usage counts for the end of a task. */
export interface TaskUse extends UsagePair {
  readonly engineMs: number
  readonly bytes: number
}

/**
 * Writes and counts ends of tasks: the slot and the lease end with them. A tombstone keeps no payload. `now()` is the
 * start of the transaction, which may have waited for a task that started in the meantime: the end is never before it.
 */
export async function updateTasks(tx: Executor, updates: readonly TaskUpdate[]): Promise<void> {
  await tx.query(
    `with ended as (update tasks t
        set status = u.status, slot = false, sealed = null, worker_id = null, not_before = null,
            error_code = u."errorCode", reason = u.reason, msg = u.msg, detail = u.detail,
            warnings = array(select json_array_elements_text(u.warnings)), exported = u.exported, seq = u.seq,
            times = coalesce(u.times, t.times),
            payload = case when u.status = 'deleted' then '{}' else t.payload end,
            ended_at = coalesce(t.ended_at, greatest(now(), t.started_at)), updated_at = now()
       from json_to_recordset($1::json) as u(
         id text, status text, "errorCode" text, reason text, msg text, detail text, warnings json, exported jsonb, seq integer,
         times jsonb, "isUse" boolean, "from" text, "to" text, "engineMs" float8, bytes float8)
      where t.id = decode(u.id, 'hex') and t.id = any($2::bytea[])
      returning t.owner_id, t.operation, u."from", u."to", t.needs, t.status, u."engineMs", u.bytes, u."isUse")
     ${addUsageSql(`select owner_id, operation, "from", "to", needs, status, "engineMs", bytes from ended where "isUse"`)}`,
    [
      JSON.stringify(updates.map(({ use, ...update }) => ({ ...update, ...use, isUse: use !== null }))),
      manyBytes(updates.map(({ id }) => id)),
    ],
  )
}

export interface WaitingUpdate {
  readonly id: ObjectId
  readonly pending: number
  readonly slot: boolean
  /** The engine family it needs, if known. */
  readonly needs: EngineFamily | null
}

/** Writes how many inputs waiting tasks still need, which of them got a slot, and the engines they need. */
export async function updateWaiting(tx: Executor, updates: readonly WaitingUpdate[]): Promise<void> {
  if (updates.length === 0) return
  await tx.query(
    `update tasks t set pending = u.pending, slot = u.slot, needs = u.needs, updated_at = now()
       from json_to_recordset($1::json) as u(id text, pending integer, slot boolean, needs text)
      where t.id = decode(u.id, 'hex') and t.id = any($2::bytea[])`,
    [JSON.stringify(updates), manyBytes(updates.map(({ id }) => id))],
  )
}

export interface JobUpdate {
  readonly id: ObjectId
  readonly status: JobStatus
  readonly remaining: number
  readonly seq: number
  readonly errorCode: JobErrorCode | null
  readonly msg: string | null
}

/** Writes the new states of jobs. */
export async function updateJobs(tx: Executor, updates: readonly JobUpdate[]): Promise<void> {
  if (updates.length === 0) return
  await tx.query(
    `update jobs j
        set status = u.status, remaining = u.remaining, seq = u.seq,
            error_code = coalesce(j.error_code, u."errorCode"), msg = coalesce(j.msg, u.msg),
            started_at = case when u.status <> 'created' then coalesce(j.started_at, now()) end,
            ended_at = case when u.status in ('completed', 'failed') then coalesce(j.ended_at, greatest(now(), j.started_at)) end,
            updated_at = now()
       from json_to_recordset($1::json) as u(
         id text, status text, remaining integer, seq integer, "errorCode" text, msg text)
      where j.id = decode(u.id, 'hex') and j.id = any($2::bytea[])`,
    [JSON.stringify(updates), manyBytes(updates.map(({ id }) => id))],
  )
}

export interface EventInsert {
  readonly id: ObjectId
  readonly subjectId: ObjectId
  readonly seq: number
  readonly type: StoredEventType
  readonly taskId: ObjectId | null
}

const insertEventsSql = `insert into events (subject_id, seq, id, type, task_id)
  select subject_id, seq, ${idNow('id')}, type, task_id
    from unnest($1::bytea[], $2::integer[], $3::bytea[], $4::text[], $5::bytea[]) as e(subject_id, seq, id, type, task_id)`

/** Adds events of an owner to the log and to the queues of its webhooks, in the transaction of the change. */
export async function insertEvents(
  tx: Executor,
  owner: { readonly id: ObjectId; readonly hasWebhooks: boolean },
  events: readonly EventInsert[],
): Promise<void> {
  if (events.length === 0) return
  await tx.query(
    // Queueing takes longer than the events alone: look for webhooks only if the owner has some.
    owner.hasWebhooks ? queueDeliveriesSql(insertEventsSql, '$6') : insertEventsSql,
    [
      manyBytes(events.map(({ subjectId }) => subjectId)),
      events.map(({ seq }) => seq),
      manyBytes(events.map(({ id }) => id)),
      events.map(({ type }) => type),
      events.map(({ taskId }) => taskId && bytes(taskId)),
      ...(owner.hasWebhooks ? [bytes(owner.id)] : []),
    ],
  )
}

/** Hides a job; its tasks become tombstones by their own moves. */
export async function markJobDeleted(tx: Executor, id: ObjectId): Promise<void> {
  await tx.query(`update jobs set deleted_at = now(), tag = null, updated_at = now() where id = $1`, [bytes(id)])
}
