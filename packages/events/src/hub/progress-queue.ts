import type { ObjectId } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'
import type { EventSource, ProgressNews } from '../event-source.ts'
import type { Watchers } from './watchers.ts'

/** A task's progress is told at most once in this time. */
const everyMs = 1000

interface ProgressParts {
  readonly source: Pick<EventSource, 'tellProgress'>
  readonly clock: Clock
  readonly watchers: Watchers
}

/** Progress on its way to who watches. It is told after what the log holds, and dropped where it cannot be told at once. */
export function createProgressQueue({ source, clock, watchers }: ProgressParts) {
  const toldAt = new Map<ObjectId, number>()
  const waiting = new Map<ObjectId, ProgressNews>()
  const subjectOf = ({ job, task }: ProgressNews) => job ?? task

  function isTooSoon(task: ObjectId, now: number): boolean {
    const last = toldAt.get(task)
    if (last !== undefined && now - last < everyMs) return true
    // Old ones need not be remembered; the map is ordered by time.
    for (const [old, at] of toldAt) {
      if (now - at < everyMs) break
      toldAt.delete(old)
    }
    return false
  }

  /** Stirred after the last look at the log: the reader comes by once more. */
  function isUnread(news: ProgressNews): boolean {
    const subjectId = subjectOf(news)
    return watchers
      .of(subjectId, news.owner)
      .some(({ pending, listener }) => pending.has(subjectId) && listener.room() > 0)
  }

  return {
    /** Gives whether anybody is to be told. */
    add(news: ProgressNews): boolean {
      const now = clock.now().getTime()
      if (watchers.of(subjectOf(news), news.owner).length === 0 || isTooSoon(news.task, now)) return false
      toldAt.delete(news.task)
      toldAt.set(news.task, now)
      waiting.set(news.task, news)
      // Read before it is told, so that nobody hears of progress before the start.
      watchers.notify(subjectOf(news), news.owner)
      return true
    },
    async tell(): Promise<void> {
      const batch = [...waiting.values()].filter((news) => !isUnread(news))
      if (batch.length === 0) return
      for (const { task } of batch) waiting.delete(task)
      const views = await source.tellProgress(batch)
      for (const news of batch) {
        const view = views.get(news.task)
        if (view) tellOne(watchers, news, subjectOf(news), view)
      }
    },
  }
}

type View = NonNullable<ReturnType<Awaited<ReturnType<EventSource['tellProgress']>>['get']>>

function tellOne(watchers: Watchers, { task, owner }: ProgressNews, subjectId: ObjectId, view: View): void {
  const event = { taskId: task, type: 'task.progress' as const, createdAt: new Date(view.createdAt) }
  for (const watcher of watchers.of(subjectId, owner)) {
    const through = watcher.after(subjectId)
    // Who is behind hears of the past first, and has no use for a hint about the present.
    if (watcher.pending.has(subjectId) || !watcher.wants(event) || watcher.listener.room() <= 0) continue
    watcher.listener.take([{ ...view, seq: through }], { subjectId, through })
  }
}
