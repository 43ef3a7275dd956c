import { advisoryLocks } from '../advisory-locks.ts'
import type { Executor } from '../database.ts'

// A leader asks every second. If it is silent for longer, it is frozen or its host is gone.
const leaderSilenceMs = 5_000

/**
 * Tries to become the only leader. The lock belongs to the session, and PostgreSQL ends the session when the leader is
 * silent. Both are set in one statement: if its answer is lost, the lock is held no longer than that.
 */
export async function tryToLead(connection: Executor): Promise<boolean> {
  const { rows } = await connection.query<{ won: boolean }>(
    `with lock as materialized (select pg_try_advisory_lock($1) as won)
     select won, set_config('idle_session_timeout', case when won then $2 else current_setting('idle_session_timeout') end, false)
       from lock`,
    [advisoryLocks.leader, String(leaderSilenceMs)],
  )
  return rows[0]?.won ?? false
}

export async function stopLeading(connection: Executor): Promise<void> {
  await connection.query('select pg_advisory_unlock($1)', [advisoryLocks.leader])
  await connection.query('reset idle_session_timeout')
}

/** Throws if the connection, and with it every session lock, is gone. */
export async function checkConnection(connection: Executor): Promise<void> {
  await connection.query('select 1')
}

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
