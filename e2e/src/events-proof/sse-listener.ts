import { setTimeout as pause } from 'node:timers/promises'
import { eventsOf } from '../events-of.ts'
import type { Book } from './book.ts'
import type { World } from './world.ts'

/**
 * Follows a job by server-sent events, is killed now and then, and continues with Last-Event-ID until it has all
 * events. A plain request, because the SDK hides what is counted and checked here: repeated and reordered events, and a
 * connection that ends.
 */
export async function listenBySse(world: World, jobId: string, book: Book): Promise<void> {
  while (Date.now() < world.deadline) {
    const isOver = await readOnce(world, jobId, book).catch(() => false)
    if (isOver) return
    world.counts.reconnects += 1
    await pause(world.chance.between(10, 200))
  }
}

/** One connection. Returns whether the service reports that there are no more events. */
async function readOnce({ url, key, chance, counts }: World, jobId: string, book: Book): Promise<boolean> {
  // Every second connection is killed after a few events, or before the first.
  const life = chance.between(0, 1) === 0 ? Number.POSITIVE_INFINITY : chance.between(0, 5)
  const death = new AbortController()
  const headers = { authorization: `Bearer ${key}`, ...(book.last > 0 && { 'last-event-id': `${book.last}` }) }
  const response = await fetch(`${url()}/v1/process/jobs/${jobId}/events`, { headers, signal: death.signal })
  if (response.status === 204) return true
  if (response.status !== 200) throw new Error(`the stream answered ${response.status}`)
  let heard = 0
  for await (const event of eventsOf(response)) {
    book.note(event)
    heard += 1
    if (heard < life) continue
    counts.listenerKills += 1
    death.abort()
    return false
  }
  // Ended by the service: because all events were sent, or because the process stopped.
  return book.isComplete
}
