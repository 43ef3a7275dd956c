import type { Executor } from '@lathe/database'

/** Nobody is declared dead before PostgreSQL has been up, and reachable for us, this long. */
const steadyMs = 10_000

/**
 * Tells whether a silence means anything: after a restart of PostgreSQL, or a time in which we could not
 * reach it ourselves, every worker looks silent and none is.
 */
export function createSteadiness(db: Executor, monotonicNow: () => number = () => performance.now()) {
  let reachableSince: number | undefined
  return {
    async isSteady(): Promise<boolean> {
      try {
        const { rows } = await db.query<{ up: number }>(
          `select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 * 1000 as up`,
        )
        reachableSince ??= monotonicNow()
        return (rows[0]?.up ?? 0) >= steadyMs && monotonicNow() - reachableSince >= steadyMs
      } catch (error) {
        reachableSince = undefined
        throw error
      }
    },
  }
}
