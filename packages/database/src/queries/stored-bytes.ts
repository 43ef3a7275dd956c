import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { storageQuota } from './owner-plans.ts'

/**
 * How many bytes the files of an owner take. The statements that add or delete files write it with the owner locked, so
 * it matches the rows of `files` at every commit. Expired files drop out by their time alone.
 */

/** The five minutes in which a file expires, as SQL; the same for all files of a task. */
export const expiryPeriod = (expiresAt: string) => `date_bin('5 minutes', ${expiresAt}, 'epoch') + interval '5 minutes'`

/** How many bytes an owner has stored, as SQL. Exact if an earlier statement has locked the owner. */
export const storedBytesSql = (ownerId: string) =>
  `coalesce((select sum(s.bytes) from stored_bytes s where s.owner_id = ${ownerId} and s.expires_at > now()), 0)`

/** Adds the rows of a query (owner, period and bytes) to the counts, as SQL. */
export const addStoredSql = (query: string) => `insert into stored_bytes (owner_id, expires_at, bytes) ${query}
    on conflict (owner_id, expires_at) do update set bytes = stored_bytes.bytes + excluded.bytes`

/** The bytes that the files of an owner take, and its quota as in `OwnerPlan`. */
export interface OwnerStorage {
  readonly used: number
  readonly quota: number | null
}

/** How many bytes an owner has stored, and its quota. */
export async function findStorage(db: Executor, ownerId: ObjectId): Promise<OwnerStorage> {
  const { rows } = await db.query<OwnerStorage>(
    `select ${storedBytesSql('o.id')}::float8 as used, ${storageQuota} as quota from owners o where o.id = $1`,
    [bytes(ownerId)],
  )
  return rows[0] ?? { used: 0, quota: null }
}

/** Deletes counts of expired files, which no longer matter. */
export async function forgetStoredBytes(db: Executor, before: Date): Promise<number> {
  return (await db.query(`delete from stored_bytes where expires_at < $1`, [before])).rowCount ?? 0
}
