import { filesExpireAt, type ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type ColumnType, insertColumns } from '../insert-columns.ts'
import { storageQuota } from './owner-plans.ts'
import type { NewFile } from './rows.ts'
import { addStoredSql, expiryPeriod, findStorage, type OwnerStorage, storedBytesSql } from './stored-bytes.ts'

/** The columns of a new file, but for its task and the time when it expires. */
export const newFileColumns = insertColumns({
  n: 'integer',
  key: 'text',
  filename: 'text',
  format: 'text',
  size: 'bigint',
  sha256: 'hex',
  crc32: 'bigint',
  folder: 'text',
} satisfies Record<keyof NewFile, ColumnType>)

/** New output files of a task. */
export interface NewFiles {
  readonly ownerId: ObjectId
  readonly taskId: ObjectId
  readonly createdAt: Date
  readonly files: readonly NewFile[]
}

/**
 * Records the output files of a task and counts their bytes. The row of a file is its commit point. Returns the
 * storage of the owner before. The caller has locked the owner.
 */
export async function insertFiles(
  tx: Executor,
  { ownerId, taskId, createdAt, files }: NewFiles,
): Promise<OwnerStorage> {
  if (files.length === 0) return findStorage(tx, ownerId)
  const { rows } = await tx.query<OwnerStorage>(
    `with named as (
       insert into files (task_id, expires_at, ${newFileColumns.names})
       select $1, $2, ${newFileColumns.values} from json_to_recordset($3::json) as f(${newFileColumns.record})
       returning size
     ), counted as (
       ${addStoredSql(`select $4::bytea, ${expiryPeriod('$2::timestamptz')}, sum(size) from named`)}
     )
     select ${storedBytesSql('o.id')}::float8 as used, ${storageQuota} as quota from owners o where o.id = $4::bytea`,
    [bytes(taskId), filesExpireAt(createdAt), JSON.stringify(files), bytes(ownerId)],
  )
  return rows[0] ?? { used: 0, quota: null }
}

// Each statement ends far below its time limit, however many files its tasks have.
const tasksAtOnce = 2
// The caller erases so many at once; the scheduler erases the others.
const mostKeys = 10_000

/**
 * Marks the files of deleted tasks and returns keys of them, to be erased after the commit. The caller has locked the
 * owner.
 */
export async function markFilesDeleted(
  tx: Executor,
  { ownerId, taskIds }: { ownerId: ObjectId; taskIds: readonly ObjectId[] },
): Promise<string[]> {
  const keys: string[] = []
  for (let at = 0; at < taskIds.length; at += tasksAtOnce) {
    const { rows } = await tx.query<{ key: string }>(
      `with gone as (
         update files set deleted_at = now() where task_id = any($1::bytea[]) and deleted_at is null
         returning key, size, expires_at
       ), freed as (
         update stored_bytes s set bytes = greatest(0, s.bytes - g.bytes)
           from (select ${expiryPeriod('expires_at')} as period, sum(size) as bytes from gone group by 1) g
          where s.owner_id = $2 and s.expires_at = g.period
       )
       select key from gone limit $3`,
      [manyBytes(taskIds.slice(at, at + tasksAtOnce)), bytes(ownerId), mostKeys - keys.length],
    )
    keys.push(...rows.map(({ key }) => key))
  }
  return keys
}

interface FileToErase {
  readonly taskId: ObjectId
  readonly n: number
  readonly key: string
}

/** Files of deleted tasks whose bytes are not known to be erased, in order, after a given one. */
export async function findFilesToErase(
  db: Executor,
  { after, limit }: { readonly after: Pick<FileToErase, 'taskId' | 'n'>; readonly limit: number },
): Promise<readonly FileToErase[]> {
  const { rows } = await db.query<FileToErase>(
    `select task_id as "taskId", n, key from files
      where task_id >= $1 and (task_id, n) > ($1, $2) and deleted_at is not null and erased_at is null
      order by task_id, n limit $3`,
    [bytes(after.taskId), after.n, limit],
  )
  return rows
}

/** Records that the bytes of deleted files are erased. */
export async function markErased(db: Executor, taskIds: readonly ObjectId[], keys: readonly string[]): Promise<void> {
  await db.query(
    `update files set erased_at = now() where task_id = any($1::bytea[]) and key = any($2) and deleted_at is not null`,
    [manyBytes(taskIds), keys],
  )
}
