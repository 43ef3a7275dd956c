import { setTimeout as pause } from 'node:timers/promises'
import { checkConnection, type Database, stopLeading, tryToLead } from '@lathe/database'
import { type Logger, withDeadline } from '@lathe/runtime'

const checkMs = 1_000
/** An answer that takes longer means that PostgreSQL may have ended the session. */
const answerMs = 3_000

/** What the leader's work is given. */
export interface Leadership {
  /** Ends when this process no longer leads. */
  readonly signal: AbortSignal
  /** Asks PostgreSQL whether this process leads right now. */
  isHeld(): Promise<boolean>
}

/**
 * Runs the work while this process is the leader: it holds a session lock in PostgreSQL, which goes with the
 * connection, and PostgreSQL ends the session of a leader that is silent for some seconds. Losing it stops the work;
 * then it stands for election again. A leader that was frozen may believe for a moment that it still leads: it asks
 * before each duty, and every duty may run twice at once.
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
        log.info('this scheduler leads')
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
      .catch((err) => log.warn({ err }, 'leadership was lost'))
    await pause(checkMs, undefined, { signal }).catch(() => {})
  }
}
