import type { EngineFamily, JobErrorCode, JobStatus, ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type ColumnType, insertColumns } from '../insert-columns.ts'
import type { TaskRecord } from './rows.ts'

/** A new task. */
export interface TaskInsert extends Omit<TaskRecord, 'files' | 'filesTotal' | 'warnings' | 'exported' | 'times'> {
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

const jobColumns = insertColumns({
  id: 'hex',
  ownerId: 'hex',
  userId: 'hex',
  tag: 'text',
  status: 'text',
  errorCode: 'text',
  msg: 'text',
  remaining: 'integer',
  seq: 'integer',
  createdAt: 'timestamptz',
} satisfies Record<keyof JobInsert, ColumnType>)

export async function insertJob(tx: Executor, job: JobInsert): Promise<void> {
  await tx.query(
    `insert into jobs (${jobColumns.names}, started_at, ended_at, updated_at)
     select ${jobColumns.values}, case when status <> 'created' then "createdAt" end,
            case when status = 'failed' then "createdAt" end, "createdAt"
       from json_to_recordset($1::json) as n(${jobColumns.record})`,
    [JSON.stringify([job])],
  )
}

// The generation of links is the owner's, not the task's.
const taskColumns = insertColumns({
  id: 'hex',
  jobId: 'hex',
  ownerId: 'hex',
  userId: 'hex',
  position: 'integer',
  name: 'text',
  operation: 'text',
  pool: 'text',
  status: 'text',
  payload: 'jsonb',
  dependsOn: 'hexes',
  pending: 'integer',
  slot: 'boolean',
  attempt: 'integer',
  errorCode: 'text',
  reason: 'text',
  msg: 'text',
  seq: 'integer',
  createdAt: 'timestamptz',
  startedAt: 'timestamptz',
  endedAt: 'timestamptz',
  updatedAt: 'timestamptz',
  sealed: 'hex',
  traceParent: 'text',
  needs: 'text',
  needsVersion: 'integer',
  previewFile: 'integer',
} satisfies Record<Exclude<keyof TaskInsert, 'linkGeneration'>, ColumnType>)

/** Writes tasks and the edges to their inputs in one statement. */
export async function insertTasks(tx: Executor, tasks: readonly TaskInsert[]): Promise<void> {
  await tx.query(
    `with new as (
       select * from json_to_recordset($1::json) as n(${taskColumns.record})
     ), edges as (
       insert into task_inputs (parent_id, child_id)
       select distinct decode(parent, 'hex'), decode(new.id, 'hex')
         from new, json_array_elements_text(new."dependsOn") parent
     )
     insert into tasks (${taskColumns.names}) select ${taskColumns.values} from new`,
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
