import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

// A response may repeat what was sent.
const withoutAnswers = (attempts: string) =>
  `(select coalesce(jsonb_agg(a - 'answer' order by n), '[]') from jsonb_array_elements(${attempts}) with ordinality t(a, n))`

/** Adds an attempt to the log of a delivery, without its response if the delivery was erased meanwhile. */
export function addAttemptSql(attempt: string): string {
  return `attempts || case when erased_at is null then ${attempt} else ${withoutAnswers(attempt)} end`
}

const eraseSql = `set body = null, attempts = ${withoutAnswers('attempts')}, erased_at = now()`

/**
 * Erases what deliveries for a job, or for a task outside a job, have sent and received. Those queued in this
 * transaction stay.
 */
export async function eraseDeliveriesOf(tx: Executor, subjectId: ObjectId): Promise<void> {
  await tx.query(
    `update webhook_deliveries ${eraseSql} where subject_id = $1 and erased_at is null and created_at < now()`,
    [bytes(subjectId)],
  )
}

/** Erases the same for jobs and tasks with ids below `before`. Returns how many there were, at most `limit`. */
export async function eraseDeliveriesBefore(
  db: Executor,
  { before, limit }: { readonly before: ObjectId; readonly limit: number },
): Promise<number> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select id from webhook_deliveries where subject_id < $1 and erased_at is null limit $2`,
    [bytes(before), limit],
  )
  if (rows.length === 0) return 0
  await db.query(`update webhook_deliveries ${eraseSql} where id = any($1::bytea[])`, [
    manyBytes(rows.map(({ id }) => id)),
  ])
  return rows.length
}
