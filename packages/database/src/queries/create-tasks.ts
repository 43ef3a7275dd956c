import type { EngineFamily, JobErrorCode, JobStatus, ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import type { TaskRecord } from './rows.ts'

/** A new task. */
export interface TaskInsert extends Omit<TaskRecord, 'files' | 'warnings' | 'exported' | 'times'> {
  readonly position: number
  readonly pool: string
  readonly pending: number
  readonly slot: boolean
  readonly seq: number
  /** Hex of the sealed secrets, if it has any. */
  readonly sealed: string | null
  /** The trace that the work belongs to; null if none is recorded. */
  readonly traceParent: string | null
  /** The family of engines it needs, if known. */
  readonly needs: EngineFamily | null
  /** The version of the catalog that its worker must know; null for the first. */
  readonly needsVersion: number | null
}

/** A new job. */
export interface JobInsert {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly tag: string | null
  readonly status: JobStatus
  readonly errorCode: JobErrorCode | null
  readonly msg: string | null
  readonly remaining: number
  readonly seq: number
  readonly createdAt: Date
}

export async function insertJob(tx: Executor, job: JobInsert): Promise<void> {
  await tx.query(
    `insert into jobs (id, owner_id, user_id, tag, status, error_code, remaining, seq, created_at, msg, started_at,
                       ended_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
             case when $5 <> 'created' then $9::timestamptz end, case when $5 = 'failed' then $9::timestamptz end, $9)`,
    [
      bytes(job.id),
      bytes(job.ownerId),
      bytes(job.userId),
      job.tag,
      job.status,
      job.errorCode,
      job.remaining,
      job.seq,
      job.createdAt,
      job.msg,
    ],
  )
}

/** Writes tasks and the edges to their inputs in one statement. */
export async function insertTasks(tx: Executor, tasks: readonly TaskInsert[]): Promise<void> {
  await tx.query(
    `with new as (
       select * from json_to_recordset($1::json) as n(
         id text, "jobId" text, "ownerId" text, "userId" text, position integer, name text, operation text, pool text,
         status text, payload jsonb, "dependsOn" json, pending integer, slot boolean, attempt integer,
         "errorCode" text, reason text, msg text, seq integer, "createdAt" timestamptz, "startedAt" timestamptz,
         "endedAt" timestamptz, "updatedAt" timestamptz, sealed text, "traceParent" text, needs text,
         "needsVersion" integer)
     ), edges as (
       insert into task_inputs (parent_id, child_id)
       select distinct decode(parent, 'hex'), decode(new.id, 'hex')
         from new, json_array_elements_text(new."dependsOn") parent
     )
     insert into tasks (id, job_id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on,
                        pending, slot, attempt, error_code, reason, msg, seq, created_at, started_at, ended_at, updated_at, sealed, trace_parent,
                        needs, needs_version)
     select decode(id, 'hex'), decode("jobId", 'hex'), decode("ownerId", 'hex'), decode("userId", 'hex'), position, name,
            operation, pool, status, payload,
            array(select decode(parent, 'hex') from json_array_elements_text("dependsOn") parent),
            pending, slot, attempt, "errorCode", reason, msg, seq, "createdAt", "startedAt", "endedAt", "updatedAt", decode(sealed, 'hex'), "traceParent",
            needs, "needsVersion"
       from new`,
    [JSON.stringify(tasks)],
  )
}

export interface ParentTask {
  readonly id: ObjectId
  readonly operation: string
  readonly status: TaskRecord['status']
  readonly createdAt: Date
}

/** The tasks of an owner that a new task names as inputs; deleted and expired ones are not found. */
export async function findParents(
  tx: Executor,
  { ownerId, ids, since }: { ownerId: ObjectId; ids: readonly ObjectId[]; since: Date },
): Promise<ParentTask[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query<ParentTask>(
    `select id, operation, status, created_at as "createdAt" from tasks
      where id = any($1::bytea[]) and owner_id = $2 and status <> 'deleted' and created_at > $3`,
    [manyBytes(ids), bytes(ownerId), since],
  )
  return rows
}

/** The format of the first file of each task; tasks without files are left out. */
export async function findFormats(tx: Executor, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<{ id: ObjectId; format: string }>(
    `select distinct on (task_id) task_id as id, format from files where task_id = any($1::bytea[]) order by task_id, n`,
    [manyBytes(ids)],
  )
  return new Map(rows.map(({ id, format }) => [id, format]))
}

/** How many tasks wait, or have waited, for each of some tasks. */
export async function countDependants(tx: Executor, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<{ id: ObjectId; count: number }>(
    `select parent_id as id, count(*)::int as count from task_inputs where parent_id = any($1::bytea[]) group by 1`,
    [manyBytes(ids)],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}
