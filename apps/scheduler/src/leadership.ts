import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Database,
  endLead,
  fenceOf,
  findLeader,
  type LeaderSeen,
  renewLead,
  sqlState,
  type Term,
  takeLead,
  termEnded,
} from '@lathe/database'
import { type Logger, withDeadline } from '@lathe/runtime'

const renewMs = 1_000
/** How long a leader must be silent before another takes over. A leader that could not renew for as long stops. */
const termMs = 4_000

/** What the leader's work gets. */
export interface Leadership {
  /** Aborts when this process no longer leads. */
  readonly signal: AbortSignal
  /** The database as the leader may use it: after the end of its term, every transaction fails. */
  readonly database: Database
  /** Whether this process leads, as far as it knows. The database knows better. */
  isHeld(): boolean
}

/** Whether work failed because another leads. */
export function hasEnded(error: unknown): boolean {
  return sqlState(error) === termEnded
}

/**
 * Runs the work while this process is the leader. The leader renews its term in a row of PostgreSQL; another scheduler
 * takes over when it has seen no renewal for some seconds. No session is needed, so a pooler may be in between, and no
 * two clocks are compared. A leader that was frozen may believe for a moment that it still leads: its transactions fail
 * then (`fenceOf`), and every duty may run concurrently with those of the next leader.
 */
export async function whileLeader(
  database: Database,
  signal: AbortSignal,
  log: Logger,
  work: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const stand = createCandidate(database)
  while (!signal.aborted) {
    try {
      const askedAt = performance.now()
      const term = await stand()
      if (term) {
        log.info({ epoch: term.epoch }, 'became the leader')
        await lead(database, { term, askedAt, signal, log }, work)
      }
    } catch (err) {
      log.warn({ err }, 'could not stand as the leader')
    }
    await pause(renewMs, undefined, { signal }).catch(() => {})
  }
}

/** Looks who leads, and takes over when nobody has for some seconds. */
function createCandidate(database: Database): () => Promise<Term | undefined> {
  let seen: LeaderSeen | undefined
  let seenAt = performance.now()

  return async () => {
    const found = await findLeader(database.pool)
    if (found?.epoch !== seen?.epoch || found?.holder !== seen?.holder || found?.renewals !== seen?.renewals) {
      seen = found
      seenAt = performance.now()
    }
    const isFree = !found?.holder
    if (!isFree && performance.now() - seenAt < termMs) return undefined
    const name = `${hostname().replace(/[^\w.-]/g, '_')}/${process.pid}/${randomBytes(8).toString('hex')}`
    return takeLead(database, found, name)
  }
}

interface Office {
  readonly term: Term
  readonly askedAt: number
  readonly signal: AbortSignal
  readonly log: Logger
}

async function lead(
  database: Database,
  { term, askedAt, signal, log }: Office,
  work: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  let renewedAt = askedAt
  const leftMs = () => renewedAt + termMs - performance.now()
  const working = work({
    signal: AbortSignal.any([signal, lost.signal]),
    database: database.fencedBy(fenceOf(term)),
    isHeld: () => !lost.signal.aborted && leftMs() > 0,
  })
  try {
    while (!signal.aborted) {
      const sentAt = performance.now()
      if (!(await withDeadline(renewLead(database.pool, term), Math.max(leftMs(), 0)))) break
      renewedAt = sentAt
      await pause(renewMs, undefined, { signal }).catch(() => {})
    }
    if (!signal.aborted) log.warn({ epoch: term.epoch }, 'lost the leadership: another scheduler leads')
  } catch (err) {
    log.warn({ err, epoch: term.epoch }, 'lost the leadership')
  } finally {
    lost.abort()
    await working
    // Not needed, but spares the next leader the wait.
    await endLead(database.pool, term).catch(() => {})
  }
}
