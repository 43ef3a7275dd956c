import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/**
 * What the files of an owner take in storage. It is written in the statements that name or delete files, by who holds the
 * owner, so it is what the rows of `files` say at every commit. Files that expire leave it by the time alone.
 */

/** The five minutes in which a file expires, as SQL; the same for all files of a task. */
export const expiryPeriod = (expiresAt: string) => `date_bin('5 minutes', ${expiresAt}, 'epoch') + interval '5 minutes'`

/** How many bytes an owner has stored, as SQL. Exact where the owner was locked by an earlier statement. */
export const storedBytesSql = (ownerId: string) =>
  `coalesce((select sum(s.bytes) from stored_bytes s where s.owner_id = ${ownerId} and s.expires_at > now()), 0)`

/** Counts what a query gives as owner, period and bytes, as SQL. */
export const addStoredSql = (query: string) => `insert into stored_bytes (owner_id, expires_at, bytes) ${query}
    on conflict (owner_id, expires_at) do update set bytes = stored_bytes.bytes + excluded.bytes`

/** How many bytes an owner has stored. */
export async function findStoredBytes(db: Executor, ownerId: ObjectId): Promise<number> {
  const { rows } = await db.query<{ stored: number }>(`select ${storedBytesSql('$1')}::float8 as stored`, [
    bytes(ownerId),
  ])
  return rows[0]?.stored ?? 0
}

/** Removes counts of files that have expired: they count no more. */
export async function forgetStoredBytes(db: Executor, before: Date): Promise<number> {
  return (await db.query(`delete from stored_bytes where expires_at < $1`, [before])).rowCount ?? 0
}
