import type { Event } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'

/** Receives events, as fast as it can take them. */
export interface Listener {
  /** How many more events it can take now. While this is 0, nothing is read for it. */
  room(): number
  /**
   * Takes events of one subject, in order. Called without events if none of the new ones were for this listener:
   * `through` is the number up to which it has received everything.
   */
  take(events: readonly Event[], reported: { readonly subjectId: ObjectId; readonly through: number }): void
  /** For a feed: everything written before this time, within a margin, has been sent. */
  caughtUp?(moment: Date): void
}

/** Which events of which subject: all of a job, or those of one task. */
export interface SubjectChoice {
  readonly subjectId: ObjectId
  /** Only events of this task. */
  readonly taskId?: ObjectId
  /** The number of the last known event. */
  readonly after: number
}

/** The kinds of feeds. */
export const feedKinds = ['jobs', 'tasks', 'all'] as const

/** All events of an owner's jobs, of its tasks (inside and outside jobs), or of both. */
export interface Feed {
  readonly ownerId: ObjectId
  readonly kind: (typeof feedKinds)[number]
}

/** A subscription; disposing it ends it. */
export interface Watch extends Disposable {
  /** Signals that the listener can take events again. */
  wake(): void
}
