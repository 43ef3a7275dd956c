import type { ObjectId } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'
import type { EventSource, ProgressUpdate } from '../event-source.ts'
import type { Watchers } from './watchers.ts'

/** The progress of a task is sent at most once in this time. */
const everyMs = 1000

interface ProgressParts {
  readonly source: Pick<EventSource, 'renderProgress'>
  readonly clock: Clock
  readonly watchers: Watchers
}

/** Progress on its way to watchers. It is sent after the events of the log, and dropped if it cannot be sent now. */
export function createProgressQueue({ source, clock, watchers }: ProgressParts) {
  const sentAt = new Map<ObjectId, number>()
  const waiting = new Map<ObjectId, ProgressUpdate>()
  const subjectOf = ({ job, task }: ProgressUpdate) => job ?? task

  function isTooSoon(task: ObjectId, now: number): boolean {
    const last = sentAt.get(task)
    if (last !== undefined && now - last < everyMs) return true
    // Old entries are not needed; the map is ordered by time.
    for (const [old, at] of sentAt) {
      if (now - at < everyMs) break
      sentAt.delete(old)
    }
    return false
  }

  /** Notified after the last read of the log: the reader runs again. */
  function isUnread(news: ProgressUpdate): boolean {
    const subjectId = subjectOf(news)
    return watchers
      .of(subjectId, news.owner)
      .some(({ pending, listener }) => pending.has(subjectId) && listener.room() > 0)
  }

  return {
    /** Returns whether a watcher needs this. */
    add(news: ProgressUpdate): boolean {
      const now = clock.now().getTime()
      if (watchers.of(subjectOf(news), news.owner).length === 0 || isTooSoon(news.task, now)) return false
      sentAt.delete(news.task)
      sentAt.set(news.task, now)
      waiting.set(news.task, news)
      // Read the log first, so that no watcher gets progress before the start event.
      watchers.notify(subjectOf(news), news.owner)
      return true
    },
    async tell(): Promise<void> {
      const batch = [...waiting.values()].filter((news) => !isUnread(news))
      if (batch.length === 0) return
      for (const { task } of batch) waiting.delete(task)
      const views = await source.renderProgress(batch)
      for (const news of batch) {
        const view = views.get(news.task)
        if (view) sendOne(watchers, news, subjectOf(news), view)
      }
    },
  }
}

type View = NonNullable<ReturnType<Awaited<ReturnType<EventSource['renderProgress']>>['get']>>

function sendOne(watchers: Watchers, { task, owner }: ProgressUpdate, subjectId: ObjectId, view: View): void {
  const event = { taskId: task, type: 'task.progress' as const, createdAt: new Date(view.createdAt) }
  for (const watcher of watchers.of(subjectId, owner)) {
    const through = watcher.after(subjectId)
    // A watcher that is behind gets past events first, and does not need current progress.
    if (watcher.pending.has(subjectId) || !watcher.wants(event) || watcher.listener.room() <= 0) continue
    watcher.listener.take([{ ...view, seq: through }], { subjectId, through })
  }
}
