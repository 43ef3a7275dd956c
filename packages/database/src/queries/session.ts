import type { Executor } from '../database.ts'

/** How long PostgreSQL has been up, by its clock. */
export async function serverUptimeMs(db: Executor): Promise<number> {
  const { rows } = await db.query<{ up: number }>(
    `select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up`,
  )
  return rows[0]?.up ?? 0
}

/** The current time of PostgreSQL's clock, in milliseconds since 1970. */
export async function serverTimeMs(db: Executor): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`)
  if (!rows[0]) throw new Error('PostgreSQL did not tell its time')
  return rows[0].ms
}
