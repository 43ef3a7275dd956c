import { type Event, type Links, toEventView } from '@lathe/contract'
import { type Database, type EventRecord, findJobsById, findShownTasks } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'

export interface RenderParts {
  readonly database: Pick<Database, 'pool'>
  /** Creates URLs, valid from now. */
  readonly links: () => Links
}

/**
 * The listeners' view of events of the log, in the given order. Jobs and tasks are read now, after the events, so they
 * are never older than the event. Events whose record has expired are left out.
 */
export async function renderEvents(
  { database, links }: RenderParts,
  events: readonly EventRecord[],
): Promise<ReadonlyMap<ObjectId, Event>> {
  const taskIds = new Set(events.flatMap(({ taskId }) => taskId ?? []))
  const jobIds = new Set(events.flatMap(({ taskId, subjectId }) => (taskId === null ? subjectId : [])))
  const [tasks, jobs] = await Promise.all([
    findShownTasks(database.pool, [...taskIds]),
    findJobsById(database.pool, [...jobIds]),
  ])
  const taskOf = new Map(tasks.map((task) => [task.id, task]))
  const jobOf = new Map(jobs.map((job) => [job.id, job]))
  const now = links()
  return new Map(
    events.flatMap((event) => {
      const task = event.taskId === null ? undefined : taskOf.get(event.taskId)
      const job = event.taskId === null ? jobOf.get(event.subjectId) : undefined
      const about = task ? { task } : job && { job }
      return about ? [[event.id, toEventView(event, about, now)] as const] : []
    }),
  )
}
