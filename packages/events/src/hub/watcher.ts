import type { EventRecord } from '@lathe/database'
import type { EventType, ObjectId } from '@lathe/domain'
import type { Feed, Listener, SubjectChoice } from './listener.ts'

/** The state of one subscription in the hub. */
export interface Watcher {
  readonly listener: Listener
  /** Subjects that may have new events and are not being read. */
  readonly pending: Set<ObjectId>
  /** For a feed: the time of the last complete check, unless it has been reported to the listener. */
  lookedAt?: Date | undefined
  /** Whether its subscription has ended. */
  isGone: boolean
  /** The number of the last event of the subject that this listener has. */
  after(subjectId: ObjectId): number
  advance(subjectId: ObjectId, seq: number): void
  wants(event: Pick<EventRecord, 'taskId' | 'createdAt'> & { readonly type: EventType }): boolean
}

/** Watches one job, one task outside a job, or one task of a job. */
export function createSubjectWatcher({ subjectId, taskId, after }: SubjectChoice, listener: Listener): Watcher {
  let last = after
  return {
    listener,
    pending: new Set([subjectId]),
    isGone: false,
    after: () => last,
    advance: (_, seq) => {
      last = seq
    },
    wants: (event) => taskId === undefined || event.taskId === taskId,
  }
}

/** Which events of a feed's subjects were known when it started. */
export interface FeedStart {
  /** Older events are not sent. */
  readonly since: Date
  readonly known: ReadonlyMap<ObjectId, number>
}

// 20,000 marks take about 3 MB. A subject whose mark was dropped is sent again from the start of the feed.
const marksKept = 20_000

/** Watches all jobs, all tasks, or both, of an owner. An unknown subject is sent from `since` on. */
export function createFeedWatcher({ kind }: Feed, { since, known }: FeedStart, listener: Listener): Watcher {
  const marks = new Map(known)
  const prefix = { jobs: 'job.', tasks: 'task.', all: '' }[kind]
  return {
    listener,
    pending: new Set(),
    isGone: false,
    after: (subjectId) => marks.get(subjectId) ?? 0,
    advance(subjectId, seq) {
      // Deleted first, so that the map is ordered by use and the least recently used mark is dropped.
      marks.delete(subjectId)
      marks.set(subjectId, seq)
      const [oldest] = marks.keys()
      if (marks.size > marksKept && oldest) marks.delete(oldest)
    },
    wants: ({ type, createdAt }) => type.startsWith(prefix) && createdAt >= since,
  }
}
