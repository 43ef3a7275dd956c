import { filesExpireAt, type ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import type { NewFile } from './rows.ts'

/** Names the outputs of a task. The row that names an output is its commit point. */
export async function insertFiles(
  tx: Executor,
  { taskId, createdAt, files }: { taskId: ObjectId; createdAt: Date; files: readonly NewFile[] },
): Promise<void> {
  if (files.length === 0) return
  await tx.query(
    `insert into files (task_id, n, key, filename, format, size, sha256, crc32, expires_at)
     select $1, n, key, filename, format, size, decode(sha256, 'hex'), crc32, $2
       from json_to_recordset($3::json) as f(
         n integer, key text, filename text, format text, size bigint, sha256 text, crc32 bigint)`,
    [bytes(taskId), filesExpireAt(createdAt), JSON.stringify(files)],
  )
}

/** Marks the files of deleted tasks and gives their keys, to be erased after the commit. */
export async function markFilesDeleted(tx: Executor, taskIds: readonly ObjectId[]): Promise<string[]> {
  const { rows } = await tx.query<{ key: string }>(
    `update files set deleted_at = now() where task_id = any($1::bytea[]) and deleted_at is null returning key`,
    [manyBytes(taskIds)],
  )
  return rows.map(({ key }) => key)
}

/** Files of deleted tasks whose bytes have not been seen to be gone. */
export async function findFilesToErase(
  db: Executor,
  { since, limit }: { since: ObjectId; limit: number },
): Promise<{ taskId: ObjectId; key: string }[]> {
  const { rows } = await db.query<{ taskId: ObjectId; key: string }>(
    `select task_id as "taskId", key from files
      where task_id >= $1 and deleted_at is not null and erased_at is null order by task_id limit $2`,
    [bytes(since), limit],
  )
  return rows
}

/** Records that the bytes of deleted files are gone. */
export async function markErased(db: Executor, taskIds: readonly ObjectId[], keys: readonly string[]): Promise<void> {
  await db.query(
    `update files set erased_at = now() where task_id = any($1::bytea[]) and key = any($2) and deleted_at is not null`,
    [manyBytes(taskIds), keys],
  )
}
