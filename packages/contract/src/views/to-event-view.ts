import type { EventType } from '@lathe/domain'
import type { Event } from '../schemas/event-view.ts'
import type { JobFacts, Links, TaskFacts } from './records.ts'
import { toJobView } from './to-job-view.ts'
import { toTaskView } from './to-task-view.ts'

/** What a view needs to know of an event. */
export interface EventFacts {
  readonly id: string
  readonly type: EventType
  readonly createdAt: Date
  readonly seq: number
}

/** The subject of an event, read after the event: `data` is never older than the event. */
export type EventAbout = { readonly job: JobFacts } | { readonly task: TaskFacts }

/** An event with the job or task it is about, as the API shows it. */
export function toEventView({ id, type, createdAt, seq }: EventFacts, about: EventAbout, links: Links): Event {
  const data = 'job' in about ? { job: toJobView(about.job, links) } : { task: toTaskView(about.task, links) }
  return { id, type, createdAt: createdAt.toISOString(), seq, data }
}
