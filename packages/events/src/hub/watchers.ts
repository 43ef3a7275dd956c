import type { ObjectId } from '@lathe/domain'
import { type Feed, feedKinds } from './listener.ts'
import type { Watcher } from './watcher.ts'

/** Which watchers watch which subjects and feeds. */
export interface Watchers {
  readonly feeds: ReadonlyMap<string, { readonly feed: Feed; readonly watchers: ReadonlySet<Watcher> }>
  /** Watchers that may have new events. */
  readonly awake: Set<Watcher>
  addToSubject(subjectId: ObjectId, watcher: Watcher): () => void
  addToFeed(feed: Feed, watcher: Watcher): () => void
  /** Marks a subject as possibly changed, for its watchers and, if the owner is known, for the owner's feeds. */
  notify(subjectId: ObjectId, ownerId?: ObjectId): void
  notifyAllSubjects(): void
  /** The watchers of a subject and of its owner's feeds. */
  of(subjectId: ObjectId, ownerId: ObjectId): readonly Watcher[]
}

export function createWatchers(): Watchers {
  const bySubject = new Map<ObjectId, Set<Watcher>>()
  const feeds = new Map<string, { feed: Feed; watchers: Set<Watcher> }>()
  const awake = new Set<Watcher>()
  const feedsOf = (ownerId: ObjectId) =>
    feedKinds.flatMap((kind) => [...(feeds.get(`${ownerId} ${kind}`)?.watchers ?? [])])
  const of = (subjectId: ObjectId, ownerId?: ObjectId) => [
    ...(bySubject.get(subjectId) ?? []),
    ...(ownerId === undefined ? [] : feedsOf(ownerId)),
  ]

  function notify(subjectId: ObjectId, ownerId?: ObjectId): void {
    for (const watcher of of(subjectId, ownerId)) {
      watcher.pending.add(subjectId)
      awake.add(watcher)
    }
  }

  function forget(watcher: Watcher): void {
    watcher.isGone = true
    awake.delete(watcher)
  }

  return {
    feeds,
    awake,
    of,
    notify,
    notifyAllSubjects() {
      for (const subjectId of bySubject.keys()) notify(subjectId)
    },
    addToSubject(subjectId, watcher) {
      const set = bySubject.get(subjectId) ?? new Set()
      bySubject.set(subjectId, set.add(watcher))
      awake.add(watcher)
      return () => {
        forget(watcher)
        set.delete(watcher)
        if (set.size === 0) bySubject.delete(subjectId)
      }
    },
    addToFeed(feed, watcher) {
      const name = `${feed.ownerId} ${feed.kind}`
      const entry = feeds.get(name) ?? { feed, watchers: new Set() }
      entry.watchers.add(watcher)
      feeds.set(name, entry)
      awake.add(watcher)
      return () => {
        forget(watcher)
        entry.watchers.delete(watcher)
        if (entry.watchers.size === 0) feeds.delete(name)
      }
    },
  }
}
