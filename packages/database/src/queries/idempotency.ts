import { type ObjectId, retention } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

export interface KeptAnswer {
  readonly requestHash: string
  readonly status: number
  readonly body: unknown
}

interface AnswerKey {
  readonly ownerId: ObjectId
  readonly key: string
  readonly now: Date
}

/**
 * Waits until nobody else works on the same key, then finds the answer it was given before.
 * The lock lasts to the end of the transaction, which keeps its own answer or does nothing.
 */
export async function lockAnswer(tx: Executor, { ownerId, key, now }: AnswerKey): Promise<KeptAnswer | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`${ownerId}/${key}`])
  const since = new Date(now.getTime() - retention.recordMs)
  const { rows } = await tx.query<KeptAnswer>(
    `select request_hash as "requestHash", status, body from idempotency_keys
      where day >= $3::date and owner_id = $1 and key = $2 and created_at > $4
      order by day desc limit 1`,
    [bytes(ownerId), key, dayOf(since), since],
  )
  return rows[0]
}

export async function keepAnswer(tx: Executor, { ownerId, key, now }: AnswerKey, answer: KeptAnswer): Promise<void> {
  await tx.query(
    `insert into idempotency_keys (day, owner_id, key, request_hash, status, body, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (day, owner_id, key) do update
        set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
            created_at = excluded.created_at`,
    [dayOf(now), bytes(ownerId), key, bytes(answer.requestHash), answer.status, JSON.stringify(answer.body), now],
  )
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
