import type { Executor } from '../database.ts'

// Any fixed number: it only must be the same in every scheduler of a cell.
const leaderLock = 7_264_302

/** Tries to become the one leader. The lock is the session's: it goes with the connection. */
export async function tryToLead(connection: Executor): Promise<boolean> {
  const { rows } = await connection.query<{ won: boolean }>('select pg_try_advisory_lock($1) as won', [leaderLock])
  return rows[0]?.won ?? false
}

export async function stopLeading(connection: Executor): Promise<void> {
  await connection.query('select pg_advisory_unlock($1)', [leaderLock])
}

/** Throws if the connection, and with it every session lock, is gone. */
export async function checkConnection(connection: Executor): Promise<void> {
  await connection.query('select 1')
}

/** How long PostgreSQL has been up, by its own clock. */
export async function serverUptimeMs(db: Executor): Promise<number> {
  const { rows } = await db.query<{ up: number }>(
    `select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up`,
  )
  return rows[0]?.up ?? 0
}
