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

/** What is known about the looks of one feed. */
interface Looks {
  /** When its whole day was last checked. */
  at: number | undefined
  /** Whether hints may have been lost: the whole day is checked at the next look. */
  mustRecheck: boolean
  failures: number
  /** Its whole day is not checked before: a day that takes longer than a statement may does not become shorter. */
  pausedUntil: number
  isBusy: boolean
}

const firstPauseMs = 2_000
const longestPauseMs = 5 * 60_000

/**
 * Finds events that feeds missed because a hint was lost. Each feed is checked on its own: one that is slow or fails
 * delays no other.
 */
export function createFeedLooks({ source, clock, watchers }: LookParts) {
  const known = new Map<string, Looks>()

  function looksOf(name: string): Looks {
    const found = known.get(name)
    if (found) return found
    const made: Looks = { at: undefined, mustRecheck: false, failures: 0, pausedUntil: 0, isBusy: false }
    known.set(name, made)
    return made
  }

  /** Whether the feed's whole day is to be checked now. */
  function isDayDue({ at, mustRecheck, pausedUntil }: Looks, now: number): boolean {
    return now >= pausedUntil && (mustRecheck || now - (at ?? now) >= everyMs)
  }

  function noteFailure(looks: Looks, now: number): void {
    looks.mustRecheck = true
    looks.pausedUntil = now + Math.min(firstPauseMs * 2 ** looks.failures, longestPauseMs)
    looks.failures += 1
  }

  async function lookThrough(name: string, feed: Feed, looks: Looks): Promise<void> {
    const now = clock.now().getTime()
    const isDue = isDayDue(looks, now)
    const since = isDue ? new Date((looks.at ?? now) - marginMs) : undefined
    looks.isBusy = true
    try {
      noteSubjects(name, await find(feed, since), isDue ? new Date(now) : undefined)
      if (isDue) Object.assign(looks, { mustRecheck: false, failures: 0, pausedUntil: 0 })
      looks.at = isDue ? now : (looks.at ?? now)
    } catch (error) {
      noteFailure(looks, now)
      throw error
    } finally {
      looks.isBusy = false
    }
  }

  /** Wakes the listeners of a feed for these subjects. `lookedAt`: its whole day was checked up to then. */
  function noteSubjects(name: string, subjects: readonly ObjectId[], lookedAt: Date | undefined): void {
    for (const watcher of watchers.feeds.get(name)?.watchers ?? []) {
      for (const subjectId of subjects) watcher.pending.add(subjectId)
      if (lookedAt) watcher.lookedAt = lookedAt
      watchers.awake.add(watcher)
    }
  }

  /** What changed since a time, or the newest subjects. */
  async function find(feed: Feed, since: Date | undefined): Promise<readonly ObjectId[]> {
    return since ? source.changed(feed, since) : source.newest(feed, newestLooked)
  }

  return {
    recheckAll() {
      for (const name of watchers.feeds.keys()) looksOf(name).mustRecheck = true
    },
    /** Checks every feed that is not being checked. Ends with the last of them; throws if some failed. */
    async look(): Promise<void> {
      for (const name of known.keys()) if (!watchers.feeds.has(name)) known.delete(name)
      const started = [...watchers.feeds].flatMap(([name, { feed }]) => {
        const looks = looksOf(name)
        return looks.isBusy ? [] : [lookThrough(name, feed, looks)]
      })
      const errors: unknown[] = []
      await Promise.all(started.map((look) => look.catch((error: unknown) => errors.push(error))))
      if (errors.length > 0) throw errors[0]
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
