import { type Executor, serverUptimeMs } from '@lathe/database'

/** Nobody is declared dead before PostgreSQL has been up, and reachable for us, this long. */
const steadyMs = 10_000

/** Asked every two seconds by the leader: after a longer break nobody knows whether PostgreSQL could be reached. */
const longestBreakMs = 5_000

/**
 * Tells whether a silence means anything: after a restart of PostgreSQL, or a time in which we could not
 * reach it ourselves, every worker looks silent and none is.
 */
export function createSteadiness(db: Executor, monotonicNow: () => number = () => performance.now()) {
  let reachableSince: number | undefined
  let answeredAt = Number.NEGATIVE_INFINITY
  return {
    async isSteady(): Promise<boolean> {
      try {
        const upMs = await serverUptimeMs(db)
        const now = monotonicNow()
        if (reachableSince === undefined || now - answeredAt > longestBreakMs) reachableSince = now
        answeredAt = now
        return upMs >= steadyMs && now - reachableSince >= steadyMs
      } catch (error) {
        reachableSince = undefined
        throw error
      }
    },
  }
}
