import { type Executor, serverUptimeMs } from '@lathe/database'

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
        const upMs = await serverUptimeMs(db)
        reachableSince ??= monotonicNow()
        return upMs >= steadyMs && monotonicNow() - reachableSince >= steadyMs
      } catch (error) {
        reachableSince = undefined
        throw error
      }
    },
  }
}
