import type { EventInsert } from '@lathe/database'
import type { IdMint, ObjectId, StoredEventType } from '@lathe/domain'
import type { EventHint } from '@lathe/queue'

/** Numbers the events of one transaction: `seq` increases by one per job, or per task outside a job. */
export interface EventLog {
  add(type: StoredEventType, subject: { readonly jobId: ObjectId | null; readonly taskId: ObjectId | null }): void
  /** The number of the subject's last event. */
  seqOf(subjectId: ObjectId): number
  readonly events: readonly EventInsert[]
  /** The hints for listeners after the commit: the last number of each subject. */
  hintsFor(ownerId: ObjectId): readonly EventHint[]
}

/** Starts a log from the stored numbers. */
export function createEventLog(ids: IdMint, seqs: Iterable<readonly [ObjectId, number]>): EventLog {
  const last = new Map(seqs)
  const events: EventInsert[] = []
  return {
    events,
    seqOf: (subjectId) => last.get(subjectId) ?? 0,
    hintsFor: (ownerId) =>
      [...new Set(events.map(({ subjectId }) => subjectId))].map((subjectId) => ({
        subjectId,
        ownerId,
        seq: last.get(subjectId) ?? 0,
      })),
    add(type, { jobId, taskId }) {
      const subjectId = jobId ?? taskId
      if (subjectId === null) throw new Error('an event needs a job or a task')
      const seq = (last.get(subjectId) ?? 0) + 1
      last.set(subjectId, seq)
      events.push({ id: ids.next(), subjectId, seq, type, taskId })
    },
  }
}
