import type { Clock, Logger, Metrics } from '@lathe/runtime'
import type { Executor } from './database.ts'
import { serverTimeMs } from './queries/session.ts'

/** The clocks may differ by this much; more means that one of them is wrong, and it is not known which. */
const toleranceMs = 60_000
const syncMs = 10_000

/** PostgreSQL's time, for everything that depends on a clock: the clock of this machine may be wrong. */
export interface DatabaseClock extends Clock, Disposable {
  /** Whether both clocks agree by less than a minute, so that what has expired by one has expired by the other. Queries PostgreSQL. */
  isTrusted(): Promise<boolean>
}

interface DatabaseClockParts {
  readonly db: Executor
  readonly log: Logger
  readonly metrics: Metrics
  /** What the process does not do until the clocks agree, for the log. */
  readonly refrains: string
  /** Told of the first reading, and of every change. */
  readonly onTrust?: (isTrusted: boolean) => void
  /** The time of this machine's clock, in milliseconds. */
  readonly machineNow?: () => number
}

/**
 * Creates a clock that follows PostgreSQL's. Until it has reached PostgreSQL for the first time, it uses this
 * machine's.
 */
export async function createDatabaseClock(parts: DatabaseClockParts): Promise<DatabaseClock> {
  const { db, log, metrics, refrains, onTrust = () => {}, machineNow = Date.now } = parts
  // Between two readings the time advances with a monotonic clock.
  let reading = { timeMs: machineNow(), at: performance.now() }
  let wasTrusted: boolean | undefined
  const now = () => reading.timeMs + performance.now() - reading.at

  async function isTrusted(): Promise<boolean> {
    const askedAt = performance.now()
    const timeMs = await serverTimeMs(db)
    reading = { timeMs, at: (askedAt + performance.now()) / 2 }
    const aheadMs = machineNow() - now()
    metrics.clockAhead.set(aheadMs / 1000)
    const trusted = Math.abs(aheadMs) <= toleranceMs
    const facts = { aheadS: Math.round(aheadMs / 1000) }
    if (trusted === wasTrusted) return trusted
    if (!trusted) log.error(facts, `clock differs from PostgreSQL, ${refrains} until they agree`)
    else if (wasTrusted === false) log.info(facts, 'clock agrees with PostgreSQL again')
    wasTrusted = trusted
    onTrust(trusted)
    return trusted
  }

  const sync = () => isTrusted().catch((err) => log.debug({ err }, 'clock of PostgreSQL not read'))
  await sync()
  const timer = setInterval(sync, syncMs).unref()
  return { now: () => new Date(now()), isTrusted, [Symbol.dispose]: () => clearInterval(timer) }
}
