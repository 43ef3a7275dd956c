import { setTimeout as pause } from 'node:timers/promises'
import { checkConnection, type Database, stopLeading, tryToLead } from '@lathe/database'
import { type Logger, withDeadline } from '@lathe/runtime'

const checkMs = 1_000
/** A slower answer means that PostgreSQL may have ended the session. */
const answerMs = 3_000

/** What the leader's work gets. */
export interface Leadership {
  /** Aborts when this process no longer leads. */
  readonly signal: AbortSignal
  /** Asks PostgreSQL whether this process leads now. */
  isHeld(): Promise<boolean>
}

/**
 * Runs the work while this process is the leader: it holds a session lock in PostgreSQL, which ends with the
 * connection, and PostgreSQL ends the session of a leader that is silent for some seconds. When the lock is lost, the
 * work stops and the process tries to become leader again. A leader that was frozen may believe for a moment that it
 * still leads: it checks before each duty, and every duty may run concurrently.
 */
export async function whileLeader(
  database: Database,
  signal: AbortSignal,
  log: Logger,
  work: (leadership: Leadership) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await database
      .withConnection(async (connection) => {
        if (!(await tryToLead(connection)) || signal.aborted) return
        log.info('became the leader')
        const lost = new AbortController()
        const check = () => withDeadline(checkConnection(connection), answerMs)
        const isHeld = () =>
          check().then(
            () => !lost.signal.aborted,
            () => false,
          )
        const working = work({ signal: AbortSignal.any([signal, lost.signal]), isHeld })
        try {
          while (!signal.aborted) {
            await check()
            await pause(checkMs, undefined, { signal }).catch(() => {})
          }
        } finally {
          lost.abort()
          await working
          await stopLeading(connection).catch(() => {})
        }
      })
      .catch((err) => log.warn({ err }, 'lost the leadership'))
    await pause(checkMs, undefined, { signal }).catch(() => {})
  }
}
