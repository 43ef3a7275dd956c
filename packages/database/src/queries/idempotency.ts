import { type ObjectId, retention } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** What a request with a key was, and what it created. */
export interface KeptRequest {
  readonly requestHash: string
  /** The task, job, webhook or delivery that it created. */
  readonly subjectId: ObjectId
}

interface RequestKey {
  readonly ownerId: ObjectId
  readonly key: string
  readonly now: Date
}

/**
 * Waits until no other transaction works on the same key, then finds its earlier use. The lock lasts until the end of
 * the transaction, which stores its own request or does nothing.
 */
export async function lockRequest(tx: Executor, scope: RequestKey): Promise<KeptRequest | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`${scope.ownerId}/${scope.key}`])
  return findRequest(tx, scope)
}

/** Finds the earlier use of a key, without waiting for a transaction that works on it. */
export async function findRequest(db: Executor, { ownerId, key, now }: RequestKey): Promise<KeptRequest | undefined> {
  const since = new Date(now.getTime() - retention.recordMs)
  const { rows } = await db.query<KeptRequest>(
    `select request_hash as "requestHash", subject_id as "subjectId" from idempotency_keys
      where day >= $3::date and owner_id = $1 and key = $2 and created_at > $4
      order by day desc limit 1`,
    [bytes(ownerId), key, dayOf(since), since],
  )
  return rows[0]
}

/** Stores what a request with a key created. */
export async function keepRequest(tx: Executor, { ownerId, key, now }: RequestKey, kept: KeptRequest): Promise<void> {
  await tx.query(
    `insert into idempotency_keys (day, owner_id, key, request_hash, subject_id, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (day, owner_id, key) do update
        set request_hash = excluded.request_hash, subject_id = excluded.subject_id, created_at = excluded.created_at`,
    [dayOf(now), bytes(ownerId), key, bytes(kept.requestHash), bytes(kept.subjectId), now],
  )
}

/** Deletes keys that were used before a time; a partition is only dropped when its whole day has expired. */
export async function forgetRequests(
  db: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from idempotency_keys where (day, owner_id, key) in (
       select day, owner_id, key from idempotency_keys where created_at <= $1 limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
