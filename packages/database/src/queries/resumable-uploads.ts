import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** An upload that can be interrupted and resumed. */
export interface ResumableUpload {
  readonly taskId: ObjectId
  /** Its name in the URL. */
  readonly id: string
  readonly filename: string
  readonly length: number
  readonly received: number
  /** How many parts have arrived. */
  readonly parts: number
  /** When its last part arrived. */
  readonly movedAt: Date
  /** When the files of its task expire. */
  readonly expiresAt: Date
}

/** A stored part of an upload. */
export interface UploadPart {
  readonly start: number
  readonly size: number
  readonly key: string
}

export interface NewResumableUpload
  extends Pick<ResumableUpload, 'taskId' | 'id' | 'filename' | 'length' | 'expiresAt'> {
  readonly ownerId: ObjectId
}

/** Starts the upload of a form and replaces an earlier one. Returns the keys of the parts that are no longer needed. */
export async function insertResumable(tx: Executor, upload: NewResumableUpload): Promise<readonly string[]> {
  const taskId = bytes(upload.taskId)
  const { rows } = await tx.query<{ key: string }>(`select key from upload_parts where task_id = $1`, [taskId])
  await tx.query(`delete from resumable_uploads where task_id = $1`, [taskId])
  await tx.query(
    `insert into resumable_uploads (task_id, id, owner_id, filename, length, expires_at) values ($1, $2, $3, $4, $5, $6)`,
    [taskId, upload.id, bytes(upload.ownerId), upload.filename, upload.length, upload.expiresAt],
  )
  return rows.map(({ key }) => key)
}

/** The total size of an owner's unfinished uploads once they are complete, without that of one task. */
export async function sumOpenUploads(db: Executor, ownerId: ObjectId, without: ObjectId): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select coalesce(sum(length), 0)::float8 as bytes from resumable_uploads
      where owner_id = $1 and task_id <> $2 and done_at is null and expires_at > now()`,
    [bytes(ownerId), bytes(without)],
  )
  return rows[0]?.bytes ?? 0
}

/** The upload of a form, if it is still the one in the URL. */
export async function findResumable(db: Executor, taskId: ObjectId, id: string): Promise<ResumableUpload | undefined> {
  const { rows } = await db.query<ResumableUpload>(
    `select task_id as "taskId", id, filename, length::float8, received::float8, moved_at as "movedAt", expires_at as "expiresAt",
            (select count(*)::integer from upload_parts p where p.task_id = u.task_id) as parts
       from resumable_uploads u where task_id = $1 and id = $2`,
    [bytes(taskId), id],
  )
  return rows[0]
}

/**
 * Records stored parts. Returns false and records nothing if the upload is no longer at the offset where they begin:
 * another request was faster, or it was restarted.
 */
export async function addUploadParts(
  db: Executor,
  { taskId, id }: Pick<ResumableUpload, 'taskId' | 'id'>,
  parts: readonly UploadPart[],
): Promise<boolean> {
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const { rowCount } = await db.query(
    `with moved as (
       update resumable_uploads set received = received + $4, moved_at = now()
        where task_id = $1 and id = $2 and received = $3 and done_at is null returning task_id)
     insert into upload_parts (task_id, starts_at, size, key)
     select moved.task_id, p.* from moved, unnest($5::bigint[], $6::bigint[], $7::text[]) as p`,
    [
      ...[bytes(taskId), id, parts[0]?.start, size],
      ...[parts.map((part) => part.start), parts.map((part) => part.size), parts.map((part) => part.key)],
    ],
  )
  return rowCount === parts.length
}

/** The parts of an upload, in order. */
export async function findUploadParts(
  db: Executor,
  { taskId, id }: Pick<ResumableUpload, 'taskId' | 'id'>,
): Promise<readonly UploadPart[]> {
  const { rows } = await db.query<UploadPart>(
    `select p.starts_at::float8 as start, p.size::float8, p.key
       from upload_parts p join resumable_uploads u using (task_id)
      where p.task_id = $1 and u.id = $2 order by p.starts_at`,
    [bytes(taskId), id],
  )
  return rows
}

/** Marks an upload as complete and deletes the records of its parts. */
export async function endResumable(db: Executor, taskId: ObjectId): Promise<void> {
  await db.query(
    `with parts as (delete from upload_parts where task_id = $1)
     update resumable_uploads set done_at = now() where task_id = $1 and done_at is null`,
    [bytes(taskId)],
  )
}

/** Deletes uploads and the records of their parts. */
export async function deleteResumables(db: Executor, taskIds: readonly ObjectId[]): Promise<void> {
  await db.query(`delete from resumable_uploads where task_id = any($1::bytea[])`, [manyBytes(taskIds)])
}

/** An upload that cannot continue, because its task has ended or is gone. */
export interface EndedUpload {
  readonly taskId: ObjectId
  readonly isCompleted: boolean
  readonly keys: readonly string[]
}

/** Uploads that cannot continue and were not cleaned up, by the id of their task after the given one. */
export async function findEndedUploads(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly EndedUpload[]> {
  const { rows } = await db.query<EndedUpload>(
    `select u.task_id as "taskId", t.status is not distinct from 'completed' as "isCompleted",
            array(select p.key from upload_parts p where p.task_id = u.task_id) as keys
       from resumable_uploads u left join tasks t on t.id = u.task_id
      where u.done_at is null and t.status is distinct from 'processing' and u.task_id > $1
      order by u.task_id limit $2`,
    [bytes(after), limit],
  )
  return rows
}

/** Deletes the records of expired uploads. */
export async function forgetResumables(db: Executor, before: Date): Promise<number> {
  return (await db.query(`delete from resumable_uploads where expires_at < $1`, [before])).rowCount ?? 0
}
