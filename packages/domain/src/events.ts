import type { JobStatus } from './job-state.ts'
import type { TaskStatus } from './task-state.ts'

/** The one vocabulary of events, the same in the log, on sockets and in webhooks. */
export const eventTypes = [
  'job.created',
  'job.started',
  'job.completed',
  'job.failed',
  'task.created',
  'task.started',
  'task.progress',
  'task.completed',
  'task.failed',
  'task.canceled',
  'task.deleted',
] as const

export type EventType = (typeof eventTypes)[number]

/** Told once and forgotten; every other event is kept for 24 hours. */
export type StoredEventType = Exclude<EventType, 'task.progress'>

/** Everything that is kept, and so can be delivered for certain. */
export const storedEventTypes = eventTypes.filter((type) => type !== 'task.progress')

/** How far a delivery to a webhook is. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

const byTaskStatus = {
  created: 'task.created',
  processing: 'task.started',
  completed: 'task.completed',
  failed: 'task.failed',
  canceled: 'task.canceled',
  deleted: 'task.deleted',
} as const satisfies Record<TaskStatus, StoredEventType>

const byJobStatus = {
  created: 'job.created',
  processing: 'job.started',
  completed: 'job.completed',
  failed: 'job.failed',
} as const satisfies Record<JobStatus, StoredEventType>

/** The event that tells a task came into a status. */
export function taskEvent(status: TaskStatus): StoredEventType {
  return byTaskStatus[status]
}

/** The event that tells a job came into a status. */
export function jobEvent(status: JobStatus): StoredEventType {
  return byJobStatus[status]
}
