import { type ObjectId, oldestShownAt, type TaskStatus } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type Page, type Paging, readPage, slicesSince } from './page.ts'
import { countFiles, filesOf, withFiles } from './read-files.ts'
import { type TaskRecord, taskColumns } from './rows.ts'

type TaskRow = Omit<TaskRecord, 'files'>

/** One task of an owner that is neither deleted nor older than 24 hours, and no preview. */
export async function findTask(
  db: Executor,
  { ownerId, id, now }: { ownerId: ObjectId; id: ObjectId; now: Date },
): Promise<TaskRecord | undefined> {
  const { rows } = await db.query<TaskRow>(
    `select ${taskColumns} from tasks t
      where t.id = $1 and t.owner_id = $2 and t.status <> 'deleted' and t.created_at > $3 and t.preview_file is null`,
    [bytes(id), bytes(ownerId), oldestShownAt(now)],
  )
  const [task] = await withFiles(db, rows)
  return task
}

/** Some tasks of any owner in any state, in no order: for the service itself, never for a caller. */
export async function findTasksById(db: Executor, ids: readonly ObjectId[]): Promise<readonly TaskRecord[]> {
  if (ids.length === 0) return []
  const [{ rows }, files] = await Promise.all([
    db.query<TaskRow>(`select ${taskColumns} from tasks t where t.id = any($1::bytea[])`, [manyBytes(ids)]),
    filesOf(db, ids),
  ])
  return rows.map((row) => ({ ...row, files: files.get(row.id) ?? [] }))
}

/** One task of any owner in any state: for the service itself, never for a caller. */
export async function findTaskById(db: Executor, id: ObjectId): Promise<TaskRecord | undefined> {
  const [task] = await findTasksById(db, [id])
  return task
}

/** Tasks of any owner in any state, as events show them. */
export async function findShownTasks(db: Executor, ids: readonly ObjectId[]): Promise<readonly TaskRecord[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<TaskRow>(`select ${taskColumns} from tasks t where t.id = any($1::bytea[])`, [
    manyBytes(ids),
  ])
  return withFiles(db, rows, Number.POSITIVE_INFINITY)
}

interface OwnedTask {
  readonly ownerId: ObjectId
  readonly id: ObjectId
  readonly now: Date
}

/** The job of a task, if the owner has such a task: for what needs no more than that. */
export async function findOwnTask(
  db: Executor,
  { ownerId, id, now }: OwnedTask,
): Promise<Pick<TaskRecord, 'id' | 'jobId'> | undefined> {
  const { rows } = await db.query<Pick<TaskRecord, 'id' | 'jobId'>>(
    `select t.id, t.job_id as "jobId" from tasks t
      where t.id = $1 and t.owner_id = $2 and t.status <> 'deleted' and t.created_at > $3 and t.preview_file is null`,
    [bytes(id), bytes(ownerId), oldestShownAt(now)],
  )
  return rows[0]
}

/** A task of an owner, deleted or not, with a range of its files and the number of all. */
export async function findTaskWithFiles(
  db: Executor,
  { ownerId, id, now, offset, limit }: OwnedTask & { readonly offset: number; readonly limit: number },
): Promise<(TaskRecord & { readonly filesTotal: number }) | undefined> {
  const { rows } = await db.query<TaskRow>(
    `select ${taskColumns} from tasks t
      where t.id = $1 and t.owner_id = $2 and t.created_at > $3 and t.preview_file is null`,
    [bytes(id), bytes(ownerId), oldestShownAt(now)],
  )
  const [task] = rows
  if (!task) return undefined
  const from = Math.min(offset, mostFiles)
  const [files, totals] = await Promise.all([filesOf(db, [id], { from, to: from + limit }), countFiles(db, [id])])
  return { ...task, files: files.get(id) ?? [], filesTotal: totals.get(id) ?? 0 }
}

// A page far past the end is empty, and its offset no number that the database cannot read.
const mostFiles = 1_000_000_000

export interface TaskFilter extends Paging {
  readonly ownerId: ObjectId
  readonly now: Date
  readonly status?: TaskStatus
  readonly operation?: string
  readonly job?: ObjectId
}

/** A page of an owner's tasks, newest first, without previews. Tombstones are included only for the status `deleted`. */
export async function listTasks(db: Executor, filter: TaskFilter): Promise<Page<TaskRecord>> {
  const cutoff = oldestShownAt(filter.now)
  const where = [`t.owner_id = $1`, `t.created_at > $2`, `t.preview_file is null`]
  const values: unknown[] = [bytes(filter.ownerId), cutoff]
  const equals = (column: string, value: unknown) => where.push(`${column} = $${values.push(value)}`)
  if (filter.status) equals('t.status', filter.status)
  else where.push(`t.status <> 'deleted'`)
  if (filter.operation) equals('t.operation', filter.operation satisfies Operation | string)
  if (filter.job) equals('t.job_id', bytes(filter.job))
  const page = await readPage<TaskRow>(db, {
    table: 'tasks t',
    columns: taskColumns,
    key: 't.id',
    where,
    values,
    slices: slicesSince(cutoff, filter.now),
    countKey: JSON.stringify(['tasks', filter.ownerId, filter.status, filter.operation, filter.job]),
    ...filter,
  })
  return { ...page, docs: await withFiles(db, page.docs) }
}
