import type { Event } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'

/** Somebody who is told events, at the pace at which they are taken. */
export interface Listener {
  /** How many more events there is room for now; while there is none, nothing is read on its behalf. */
  room(): number
  /**
   * Takes events of one subject, in order. Called with none when all that happened was not for this listener:
   * `through` is the number up to which it has been told everything.
   */
  take(events: readonly Event[], reported: { readonly subjectId: ObjectId; readonly through: number }): void
  /** Of a feed: everything that was written before this moment, as far as a margin allows, has been told. */
  toldUntil?(moment: Date): void
}

/** Which events of which subject: all of a job, or those of one task. */
export interface SubjectChoice {
  readonly subjectId: ObjectId
  /** Only what happens to this task. */
  readonly taskId?: ObjectId
  /** The number of the last event that is known already. */
  readonly after: number
}

/** What a feed can be of. */
export const feedKinds = ['jobs', 'tasks', 'all'] as const

/** Everything that happens to an owner's jobs, to all their tasks, inside jobs and outside, or to both. */
export interface Feed {
  readonly ownerId: ObjectId
  readonly kind: (typeof feedKinds)[number]
}

/** A subscription; disposing ends it. */
export interface Watch extends Disposable {
  /** Says that there is room again. */
  wake(): void
}
