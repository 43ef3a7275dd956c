import { type Executor, serverTimeMs } from '@lathe/database'
import type { Clock, Logger, Metrics } from '@lathe/runtime'

/** The clocks may differ by this much; more means that one of them is wrong, and it is not known which. */
const toleranceMs = 60_000
const syncMs = 10_000

/** PostgreSQL's time, for everything that depends on a clock: the clock of this machine may be wrong. */
export interface DatabaseClock extends Clock, Disposable {
  /** Whether both clocks agree, so that what has expired by one has expired by the other. Queries PostgreSQL. */
  isTrusted(): Promise<boolean>
}

interface DatabaseClockParts {
  readonly db: Executor
  readonly log: Logger
  readonly metrics: Metrics
  /** The time of this machine's clock, in milliseconds. */
  readonly machineNow?: () => number
}

/**
 * Creates a clock that follows PostgreSQL's. Until it has reached PostgreSQL for the first time, it uses this
 * machine's.
 */
export async function createDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { db, log, metrics, machineNow = Date.now } = parts
  // Between two readings the time advances with a monotonic clock.
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
    if (!trusted && wasTrusted) log.error(facts, 'clock differs from PostgreSQL, nothing is deleted until they agree')
    if (trusted && !wasTrusted) log.info(facts, 'clock agrees with PostgreSQL again')
    wasTrusted = trusted
    return trusted
  }

  const sync = () => isTrusted().catch((err) => log.debug({ err }, 'clock of PostgreSQL not read'))
  await sync()
  const timer = setInterval(sync, syncMs).unref()
  return { now: () => new Date(now()), isTrusted, [Symbol.dispose]: () => clearInterval(timer) }
}
