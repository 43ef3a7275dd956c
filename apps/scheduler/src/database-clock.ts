import { type Executor, serverTimeMs } from '@lathe/database'
import type { Clock, Logger, Metrics } from '@lathe/runtime'

/** The clocks may differ by this much; more means that one of them is wrong, and nobody knows which. */
const toleranceMs = 60_000
const syncMs = 10_000

/** PostgreSQL's time, for everything that is decided by a clock: this machine's own may be wrong. */
export interface DatabaseClock extends Clock, Disposable {
  /** Whether both clocks agree, so that what has expired by one has expired by the other. Asks PostgreSQL. */
  isTrusted(): Promise<boolean>
}

interface DatabaseClockParts {
  readonly db: Executor
  readonly log: Logger
  readonly metrics: Metrics
  /** What this machine's clock shows, in milliseconds. */
  readonly machineNow?: () => number
}

/** Makes a clock that follows PostgreSQL's. Until it has reached PostgreSQL for the first time, it shows this machine's. */
export async function createDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { db, log, metrics, machineNow = Date.now } = parts
  // Between two readings the time goes on by a clock that nobody can set.
  let reading = { timeMs: machineNow(), at: performance.now() }
  let wasTrusted = true
  const now = () => reading.timeMs + performance.now() - reading.at

  async function isTrusted(): Promise<boolean> {
    const askedAt = performance.now()
    const timeMs = await serverTimeMs(db)
    reading = { timeMs, at: (askedAt + performance.now()) / 2 }
    const aheadMs = machineNow() - now()
    metrics.clockAhead.set(aheadMs / 1000)
    const trusted = Math.abs(aheadMs) <= toleranceMs
    const facts = { aheadS: Math.round(aheadMs / 1000) }
    if (!trusted && wasTrusted)
      log.error(facts, 'the clocks of this machine and of PostgreSQL differ, nothing is erased until they agree')
    if (trusted && !wasTrusted) log.info(facts, 'the clocks of this machine and of PostgreSQL agree again')
    wasTrusted = trusted
    return trusted
  }

  const sync = () => isTrusted().catch((err) => log.debug({ err }, 'the time of PostgreSQL could not be read'))
  await sync()
  const timer = setInterval(sync, syncMs).unref()
  return { now: () => new Date(now()), isTrusted, [Symbol.dispose]: () => clearInterval(timer) }
}
