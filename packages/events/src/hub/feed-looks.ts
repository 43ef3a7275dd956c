import type { ObjectId } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'
import type { EventSource } from '../event-source.ts'
import type { Feed } from './listener.ts'
import type { FeedStart } from './watcher.ts'
import type { Watchers } from './watchers.ts'

/** How many of an owner's newest jobs or tasks are checked every second, with or without a hint. */
export const newestLooked = 200
// Checking an owner's whole day takes about 0.1 s for 100,000 jobs; at this interval the load is negligible.
const everyMs = 30_000
// Events carry the start time of their transaction. This is longer than any of our transactions takes, and than clocks
// differ.
const marginMs = 60_000

interface LookParts {
  readonly source: Pick<EventSource, 'newest' | 'changed'>
  readonly clock: Clock
  readonly watchers: Watchers
}

/** Finds events that feeds missed because a hint was lost. */
export function createFeedLooks({ source, clock, watchers }: LookParts) {
  const lookedAt = new Map<string, number>()
  let mustRecheckAll = false

  async function lookThrough(name: string, feed: Feed, isDue: boolean): Promise<void> {
    const now = clock.now().getTime()
    const before = lookedAt.get(name) ?? now
    const subjects = isDue
      ? await source.changed(feed, new Date(before - marginMs))
      : await source.newest(feed, newestLooked)
    if (isDue || !lookedAt.has(name)) lookedAt.set(name, now)
    for (const watcher of watchers.feeds.get(name)?.watchers ?? []) {
      for (const subjectId of subjects) watcher.pending.add(subjectId)
      if (isDue) watcher.lookedAt = new Date(now)
      watchers.awake.add(watcher)
    }
  }

  return {
    recheckAll() {
      mustRecheckAll = true
    },
    async look(): Promise<void> {
      const all = mustRecheckAll
      mustRecheckAll = false
      for (const name of lookedAt.keys()) if (!watchers.feeds.has(name)) lookedAt.delete(name)
      const now = clock.now().getTime()
      const feeds = [...watchers.feeds].map(([name, { feed }]) => {
        const isDue = all || now - (lookedAt.get(name) ?? now) >= everyMs
        return lookThrough(name, feed, isDue)
      })
      await Promise.all(feeds).catch((error: unknown) => {
        mustRecheckAll = true
        throw error
      })
    },
  }
}

/**
 * Where a feed starts. From now: recent subjects count as known up to their current last event. From a time in the
 * past: every event since then is sent, and some from just before, because twice is better than never.
 */
export async function startFeed(
  { source, clock }: { source: Pick<EventSource, 'changed' | 'heads'>; clock: Clock },
  feed: Feed,
  from: Date | undefined,
): Promise<FeedStart & { readonly pending: readonly ObjectId[]; readonly lookedAt: Date }> {
  const lookedAt = clock.now()
  const since = new Date((from ?? lookedAt).getTime() - marginMs)
  const recent = await source.changed(feed, since)
  if (from) return { since, known: new Map(), pending: recent, lookedAt }
  return { since, known: await source.heads(recent), pending: [], lookedAt }
}
