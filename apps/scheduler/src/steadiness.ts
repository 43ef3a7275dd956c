import { type Executor, serverUptimeMs } from '@lathe/database'

/** No worker is declared dead before PostgreSQL has been up, and reachable for us, this long. */
const steadyMs = 10_000

/** The leader calls it every two seconds: after a longer break it is not known whether PostgreSQL was reachable. */
const longestBreakMs = 5_000

/**
 * Reports whether the silence of a worker means anything: after a restart of PostgreSQL, or while we could not reach it
 * ourselves, every worker looks silent and none is.
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
