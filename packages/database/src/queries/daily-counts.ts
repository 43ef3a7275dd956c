import type { Executor } from '../database.ts'

/**
 * Counts one more of something today, for all processes together; returns how many there are now. A transaction that is
 * rolled back has not counted. Others who count the same wait for the transaction.
 */
export async function countToday(tx: Executor, subject: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `insert into daily_counts (subject, day, count) values ($1, (now() at time zone 'utc')::date, 1)
     on conflict (subject, day) do update set count = daily_counts.count + 1 returning count`,
    [subject],
  )
  const [row] = rows
  if (!row) throw new Error('the count was not stored')
  return row.count
}

/** Deletes the counts of former days. */
export async function forgetDailyCounts(db: Executor, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from daily_counts where (subject, day) in (
       select subject, day from daily_counts where day < (now() at time zone 'utc')::date limit $1)`,
    [limit],
  )
  return rowCount ?? 0
}
