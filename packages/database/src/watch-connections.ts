import type pg from 'pg'
import { PreparingClient } from './preparing-client.ts'

const checkMs = 500

/**
 * Closes connections on which PostgreSQL does not answer. Without this, a network path that drops packets silently
 * stalls a process for as long as the kernel retransmits, about 15 minutes.
 */
export function watchConnections(pool: pg.Pool): Disposable {
  const clients = new Set<PreparingClient>()
  pool.on('connect', (client) => {
    if (!(client instanceof PreparingClient)) return
    clients.add(client)
    client.once('end', () => clients.delete(client))
  })
  let checkedAt = performance.now()

  function check(): void {
    const now = performance.now()
    const wasFrozen = now - checkedAt > 4 * checkMs
    checkedAt = now
    // A process that was frozen first reads what arrived meanwhile.
    if (!wasFrozen) giveUpSilent(clients, now)
  }

  const timer = setInterval(check, checkMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function giveUpSilent(clients: ReadonlySet<PreparingClient>, now: number): void {
  const silent = [...clients].filter(({ waitingSince, patienceMs }) => now - (waitingSince ?? now) > patienceMs)
  if (silent.length === 0) return
  const since = Math.min(...silent.map(({ waitingSince }) => waitingSince ?? now))
  // Idle connections without an answer since then may be dead too, and a new connection is cheap.
  const doubtful = [...clients].filter(({ waitingSince, heardAt }) => waitingSince === undefined && heardAt < since)
  for (const client of [...silent, ...doubtful]) client.abandon()
}
