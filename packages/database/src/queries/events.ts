import { firstIdAt, type ObjectId, oldestShownAt, type StoredEventType } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** An event of the log. The subject is the job, or the task outside any job. */
export interface EventRecord {
  readonly id: ObjectId
  readonly subjectId: ObjectId
  readonly seq: number
  readonly type: StoredEventType
  /** Null for an event of the job itself. */
  readonly taskId: ObjectId | null
  readonly createdAt: Date
}

/** Up to which event a subject is known. */
export interface EventMark {
  readonly subjectId: ObjectId
  readonly after: number
}

/** The events of many subjects after the marks, by subject, then in order; at most `limit`. */
export async function readEvents(
  db: Executor,
  { marks, limit }: { marks: readonly EventMark[]; limit: number },
): Promise<readonly EventRecord[]> {
  if (marks.length === 0) return []
  const { rows } = await db.query<EventRecord>(
    `select e.id, e.subject_id as "subjectId", e.seq, e.type, e.task_id as "taskId", e.created_at as "createdAt"
       from unnest($1::bytea[], $2::integer[]) as m(subject_id, after)
       join events e on e.subject_id = m.subject_id and e.seq > m.after
      where e.subject_id = any($1::bytea[])
      order by e.subject_id, e.seq limit $3`,
    [manyBytes(marks.map(({ subjectId }) => subjectId)), marks.map(({ after }) => after), limit],
  )
  return rows
}

/** The number of the last event of each subject; subjects without events are left out. */
export async function findEventHeads(
  db: Executor,
  subjectIds: readonly ObjectId[],
): Promise<ReadonlyMap<ObjectId, number>> {
  if (subjectIds.length === 0) return new Map()
  const { rows } = await db.query<{ subjectId: ObjectId; seq: number }>(
    `select subject_id as "subjectId", max(seq) as seq from events where subject_id = any($1::bytea[]) group by 1`,
    [manyBytes(subjectIds)],
  )
  return new Map(rows.map(({ subjectId, seq }) => [subjectId, seq]))
}

/** The position of a job or task in the event log, and whether more events can follow. */
export interface EventPlace {
  readonly subjectId: ObjectId
  /** The number of the last event: of the job with its tasks, or of the task alone. */
  readonly seq: number
  /** The job and all its tasks have ended, or the task has. */
  readonly isOver: boolean
}

/** The position of a job in the log, for any owner; a deleted job is over. */
export async function findJobPlace(db: Executor, id: ObjectId): Promise<EventPlace | undefined> {
  const second = Number.parseInt(id.slice(0, 8), 16) * 1000
  const { rows } = await db.query<EventPlace>(
    `select j.id as "subjectId", j.seq,
            j.deleted_at is not null or (j.status in ('completed', 'failed') and not exists (
              select 1 from tasks t
               where t.job_id = j.id and t.id >= $2 and t.id < $3 and t.status in ('created', 'processing'))) as "isOver"
       from jobs j where j.id = $1`,
    [bytes(id), bytes(firstIdAt(new Date(second))), bytes(firstIdAt(new Date(second + 1000)))],
  )
  return rows[0]
}

/** The position of a task in the log, for any owner: among the events of its job, if it has one. */
export async function findTaskPlace(db: Executor, id: ObjectId): Promise<EventPlace | undefined> {
  const { rows } = await db.query<EventPlace>(
    `select coalesce(t.job_id, t.id) as "subjectId",
            (select coalesce(max(e.seq), 0) from events e
              where e.subject_id = coalesce(t.job_id, t.id) and e.task_id = t.id) as seq,
            t.status not in ('created', 'processing') as "isOver"
       from tasks t where t.id = $1`,
    [bytes(id)],
  )
  return rows[0]
}

/** The owner and the kind of subjects: jobs only, or also tasks. A job never changes without one of its tasks. */
export interface SubjectsOf {
  readonly ownerId: ObjectId
  readonly kind: 'jobs' | 'tasks' | 'all'
  readonly now: Date
}

/** The subjects of an owner's newest jobs or tasks: the cost does not depend on how many the owner has. */
export async function findNewestSubjects(
  db: Executor,
  { ownerId, kind, now, limit }: SubjectsOf & { readonly limit: number },
): Promise<readonly ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select ${subjectOf[kind]} where owner_id = $1 and s.id >= $2 order by s.id desc limit $3`,
    [bytes(ownerId), oldestBytes(now), limit],
  )
  return [...new Set(rows.map(({ id }) => id))]
}

/** The subjects of an owner's jobs or tasks that changed since a time; reads the owner's whole day. */
export async function findChangedSubjects(
  db: Executor,
  { ownerId, kind, now, since }: SubjectsOf & { readonly since: Date },
): Promise<readonly ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select distinct ${subjectOf[kind]} where owner_id = $1 and s.id >= $2 and updated_at >= $3`,
    [bytes(ownerId), oldestBytes(now), since],
  )
  return rows.map(({ id }) => id)
}

const ofTasks = 'coalesce(s.job_id, s.id) as id from tasks s'
const subjectOf = { jobs: 's.id from jobs s', tasks: ofTasks, all: ofTasks } as const

function oldestBytes(now: Date): string {
  return bytes(firstIdAt(oldestShownAt(now)))
}
