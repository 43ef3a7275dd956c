import type { ObjectId } from '@lathe/domain'
import type { Clock, Logger } from '@lathe/runtime'
import type { EventSource, ProgressUpdate } from '../event-source.ts'
import { createFeedLooks, startFeed } from './feed-looks.ts'
import type { Feed, Listener, SubjectChoice, Watch } from './listener.ts'
import { createProgressQueue } from './progress-queue.ts'
import { readRound } from './read-round.ts'
import { createFeedWatcher, createSubjectWatcher, type Watcher } from './watcher.ts'
import { createWatchers } from './watchers.ts'

/** The log of a subject may have new events. */
export interface LogHint {
  readonly subjectId: ObjectId
  readonly ownerId: ObjectId
  readonly seq: number
}

/**
 * Sends events of the log to the listeners of one process. Every event comes from the log, so a lost hint, a slow
 * reader or a restart delays events and never loses one. Order and numbers are those of the log.
 */
export interface Hub {
  watchSubject(choice: SubjectChoice, listener: Listener): Watch
  /** Starts now, or at a time in the past. */
  watchFeed(feed: Feed, listener: Listener, since?: Date): Promise<Watch>
  hint(hints: readonly LogHint[]): void
  progress(news: ProgressUpdate): void
  /** Hints may have been lost: every feed is checked at the next tick. */
  recheckAll(): void
  /** Checks everything that is watched, with or without a hint. May be called again before it ends: slow feeds are left out then. */
  tick(): Promise<void>
}

export interface HubParts {
  readonly source: EventSource
  readonly clock: Clock
  readonly log: Logger
}

export function createHub({ source, clock, log }: HubParts): Hub {
  const watchers = createWatchers()
  const looks = createFeedLooks({ source, clock, watchers })
  const progress = createProgressQueue({ source, clock, watchers })
  let isRunning = false
  let again = false

  /** One reader at a time: hints that arrive meanwhile are read together afterwards. */
  async function run(): Promise<void> {
    again = true
    if (isRunning) return
    isRunning = true
    try {
      while (again) {
        again = false
        while (await readRound(source, watchers.awake)) {}
        await progress.tell()
      }
    } catch (err) {
      // The next tick tries again: events are late, but none is lost.
      log.warn({ err }, 'events not read')
    } finally {
      isRunning = false
    }
  }

  /** A feed that was checked and has nothing pending is complete up to that check. During a read this is not known. */
  function reportCaughtUp(): void {
    if (isRunning) return
    for (const { watchers: own } of watchers.feeds.values()) {
      for (const watcher of own) {
        if (!watcher.lookedAt || watcher.pending.size > 0) continue
        watcher.listener.caughtUp?.(watcher.lookedAt)
        watcher.lookedAt = undefined
      }
    }
  }

  function watch(watcher: Watcher, leave: () => void): Watch {
    void run()
    return {
      wake() {
        if (watcher.pending.size === 0) return
        watchers.awake.add(watcher)
        void run()
      },
      [Symbol.dispose]: leave,
    }
  }

  return {
    watchSubject(choice, listener) {
      const watcher = createSubjectWatcher(choice, listener)
      return watch(watcher, watchers.addToSubject(choice.subjectId, watcher))
    },
    async watchFeed(feed, listener, since) {
      const { pending, lookedAt, ...start } = await startFeed({ source, clock }, feed, since)
      const watcher = createFeedWatcher(feed, start, listener)
      watcher.lookedAt = lookedAt
      for (const subjectId of pending) watcher.pending.add(subjectId)
      return watch(watcher, watchers.addToFeed(feed, watcher))
    },
    hint(hints) {
      const news = hints.filter(({ subjectId, ownerId, seq }) =>
        watchers.of(subjectId, ownerId).some((watcher) => watcher.after(subjectId) < seq),
      )
      for (const { subjectId, ownerId } of news) watchers.notify(subjectId, ownerId)
      if (news.length > 0) void run()
    },
    progress(news) {
      if (progress.add(news)) void run()
    },
    recheckAll: () => looks.recheckAll(),
    async tick() {
      watchers.notifyAllSubjects()
      await looks.look().catch((err: unknown) => log.warn({ err }, 'event feeds not read'))
      await run()
      reportCaughtUp()
    },
  }
}
