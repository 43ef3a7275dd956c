import type { EventRecord } from '@lathe/database'
import type { EventType, ObjectId } from '@lathe/domain'
import type { Feed, Listener, SubjectChoice } from './listener.ts'

/** What the hub keeps of one subscription. */
export interface Watcher {
  readonly listener: Listener
  /** Subjects that may have something new and are not being read for it. */
  readonly pending: Set<ObjectId>
  /** Of a feed: when everything was last looked for, if it has not all been told since. */
  lookedAt?: Date | undefined
  /** Whether its subscription has ended. */
  isGone: boolean
  /** The number of the subject's last event this listener knows. */
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

/** How far a feed's subjects were known when it began. */
export interface FeedStart {
  /** Older events are not told. */
  readonly since: Date
  readonly known: ReadonlyMap<ObjectId, number>
}

// 20,000 marks are about 3 MB. A subject whose mark was forgotten is told again from the beginning of the feed.
const marksKept = 20_000

/** Watches all jobs, all tasks, or both, of an owner. A subject nobody heard of before is told from `since` on. */
export function createFeedWatcher({ kind }: Feed, { since, known }: FeedStart, listener: Listener): Watcher {
  const marks = new Map(known)
  const prefix = { jobs: 'job.', tasks: 'task.', all: '' }[kind]
  return {
    listener,
    pending: new Set(),
    isGone: false,
    after: (subjectId) => marks.get(subjectId) ?? 0,
    advance(subjectId, seq) {
      // Taken out first, so that the map is ordered by use and the least used goes.
      marks.delete(subjectId)
      marks.set(subjectId, seq)
      const [oldest] = marks.keys()
      if (marks.size > marksKept && oldest) marks.delete(oldest)
    },
    wants: ({ type, createdAt }) => type.startsWith(prefix) && createdAt >= since,
  }
}
