import type { Event, Links } from '@lathe/contract'
import { toEventView } from '@lathe/contract'
import {
  type Database,
  type EventMark,
  type EventRecord,
  findChangedSubjects,
  findEventHeads,
  findNewestSubjects,
  findShownTasks,
  readEvents,
} from '@lathe/database'
import type { IdMint, ObjectId, Progress } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'
import type { Feed } from './hub/listener.ts'
import { renderEvents } from './render-events.ts'

/** A task that has just reported progress. */
export interface ProgressUpdate extends Progress {
  readonly task: ObjectId
  /** The job of the task, if it has one. */
  readonly job: ObjectId | null
  readonly owner: ObjectId
}

/** Where the hub reads events. */
export interface EventSource {
  /** The events after the marks, by subject, then in order; at most `limit`. */
  read(marks: readonly EventMark[], limit: number): Promise<readonly EventRecord[]>
  /** The listeners' view of events, by event id. */
  tell(events: readonly EventRecord[]): Promise<ReadonlyMap<ObjectId, Event>>
  /** The listeners' view of progress, by task, without a number; tasks that have ended are left out. */
  renderProgress(news: readonly ProgressUpdate[]): Promise<ReadonlyMap<ObjectId, Event>>
  heads(subjectIds: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, number>>
  /** The subjects of a feed's newest jobs or tasks. */
  newest(feed: Feed, limit: number): Promise<readonly ObjectId[]>
  /** The subjects of a feed's jobs or tasks that changed since a time. */
  changed(feed: Feed, since: Date): Promise<readonly ObjectId[]>
}

export interface EventSourceParts {
  readonly database: Pick<Database, 'pool'>
  readonly links: (now: Date) => Links
  readonly ids: IdMint
  readonly clock: Clock
}

/** Reads the event log and the current jobs and tasks. */
export function createEventSource({ database, links, ids, clock }: EventSourceParts): EventSource {
  const db = database.pool
  const linksNow = () => links(clock.now())
  return {
    read: (marks, limit) => readEvents(db, { marks, limit }),
    tell: (events) => renderEvents({ database, links: linksNow }, events),
    async renderProgress(news) {
      const progress = new Map(news.map((one) => [one.task, one]))
      const tasks = await findShownTasks(db, [...progress.keys()])
      const running = tasks.filter(({ status }) => status === 'processing')
      return new Map(
        running.map((task) => {
          const { percent = 0, secondsLeft = null } = progress.get(task.id) ?? {}
          const facts = { id: ids.next(), type: 'task.progress', createdAt: clock.now(), seq: 0 } as const
          const about = { task: { ...task, progress: { percent, secondsLeft } } }
          return [task.id, toEventView(facts, about, linksNow())] as const
        }),
      )
    },
    heads: (subjectIds) => findEventHeads(db, subjectIds),
    newest: (feed, limit) => findNewestSubjects(db, { ...feed, now: clock.now(), limit }),
    changed: (feed, since) => findChangedSubjects(db, { ...feed, now: clock.now(), since }),
  }
}
