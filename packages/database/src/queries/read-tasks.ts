import { type ObjectId, oldestShownAt, type TaskStatus } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type Page, type Paging, readPage, slicesSince } from './page.ts'
import { filesOf, withFiles } from './read-files.ts'
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
