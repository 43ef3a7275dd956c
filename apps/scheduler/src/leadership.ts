import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@lathe/database'
import type { Logger } from '@lathe/runtime'

// Any fixed number: it only must be the same in every scheduler of a cell.
const lockKey = 7_264_302
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
        const { rows } = await connection.query<{ won: boolean }>('select pg_try_advisory_lock($1) as won', [lockKey])
        if (!rows[0]?.won || signal.aborted) return
        log.info('this scheduler leads')
        const lost = new AbortController()
        const working = work(AbortSignal.any([signal, lost.signal]))
        try {
          while (!signal.aborted) {
            await connection.query('select 1')
            await pause(checkMs, undefined, { signal }).catch(() => {})
          }
        } finally {
          lost.abort()
          await working
          await connection.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {})
        }
      })
      .catch((err) => log.warn({ err }, 'leadership was lost'))
    await pause(checkMs, undefined, { signal }).catch(() => {})
  }
}
