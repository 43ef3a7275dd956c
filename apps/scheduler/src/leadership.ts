import { setTimeout as pause } from 'node:timers/promises'
import { checkConnection, type Database, stopLeading, tryToLead } from '@lathe/database'
import type { Logger } from '@lathe/runtime'

const checkMs = 1_000

/**
 * Runs the work while this process is the leader: it holds a session lock in PostgreSQL, which goes with the
 * connection. Losing it stops the work; then it stands for election again. Two leaders for a moment do no harm,
 * for every duty may run twice at once.
 */
export async function whileLeader(
  database: Database,
  signal: AbortSignal,
  log: Logger,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await database
      .withConnection(async (connection) => {
        if (!(await tryToLead(connection)) || signal.aborted) return
        log.info('this scheduler leads')
        const lost = new AbortController()
        const working = work(AbortSignal.any([signal, lost.signal]))
        try {
          while (!signal.aborted) {
            await checkConnection(connection)
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
