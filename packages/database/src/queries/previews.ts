import { type ObjectId, oldestShownAt, type TaskStatus } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type FileRecord, fileColumns } from './rows.ts'

/** A page of a file of a task. */
export interface PageOfFile {
  readonly taskId: ObjectId
  readonly file: number
  readonly page: number
}

/** The task that makes the preview of a page, if a preview of it was requested before. */
export async function findPreview(db: Executor, { taskId, file, page }: PageOfFile): Promise<ObjectId | undefined> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select preview_id as id from previews where task_id = $1 and file = $2 and page = $3`,
    [bytes(taskId), file, page],
  )
  return rows[0]?.id
}

export interface NewPreview extends PageOfFile {
  readonly previewId: ObjectId
  readonly ownerId: ObjectId
  readonly createdAt: Date
}

/** Records which task makes the preview of a page. The caller has locked the owner and found no earlier one. */
export async function insertPreview(tx: Executor, preview: NewPreview): Promise<void> {
  const { taskId, file, page, previewId, ownerId, createdAt } = preview
  await tx.query(
    `insert into previews (task_id, file, page, preview_id, owner_id, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [bytes(taskId), file, page, bytes(previewId), bytes(ownerId), createdAt],
  )
}

/** How many previews an owner has requested since a time, and how many of them are not finished. */
export async function countPreviews(
  tx: Executor,
  { ownerId, since }: { readonly ownerId: ObjectId; readonly since: Date },
): Promise<{ readonly kept: number; readonly open: number }> {
  const { rows } = await tx.query<{ id: ObjectId }>(
    `select preview_id as id from previews where owner_id = $1 and created_at > $2`,
    [bytes(ownerId), since],
  )
  if (rows.length === 0) return { kept: 0, open: 0 }
  // A second statement, because known ids select their partitions.
  const found = await tx.query<{ open: number }>(
    `select count(*)::int as open from tasks where id = any($1::bytea[]) and status in ('created', 'processing')`,
    [manyBytes(rows.map(({ id }) => id))],
  )
  return { kept: rows.length, open: found.rows[0]?.open ?? 0 }
}

/** Deletes up to `limit` rows whose files expired long ago. */
export async function forgetPreviews(
  db: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from previews where (task_id, file, page) in (
       select task_id, file, page from previews where created_at < $1 limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

/** The state of a task, and one of its files if the task has it. */
export interface FileOfTask {
  readonly status: TaskStatus
  readonly file: FileRecord | undefined
}

/** One file of a task of an owner, without reading the others. Undefined: there is no such task. */
export async function findFile(
  db: Executor,
  { ownerId, taskId, file, now }: { ownerId: ObjectId; taskId: ObjectId; file: number; now: Date },
): Promise<FileOfTask | undefined> {
  const tasks = await db.query<{ status: TaskStatus }>(
    `select status from tasks
      where id = $1 and owner_id = $2 and status <> 'deleted' and created_at > $3 and preview_file is null`,
    [bytes(taskId), bytes(ownerId), oldestShownAt(now)],
  )
  const [task] = tasks.rows
  if (!task) return undefined
  const { rows } = await db.query<FileRecord>(`select ${fileColumns} from files f where f.task_id = $1 and f.n = $2`, [
    bytes(taskId),
    file,
  ])
  return { status: task.status, file: rows[0] }
}
