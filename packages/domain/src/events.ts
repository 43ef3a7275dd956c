import type { JobStatus } from './job-state.ts'
import type { TaskStatus } from './task-state.ts'

/** All event types, the same in the event log, on sockets and in webhooks. */
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

/** `task.progress` is sent once and not stored; every other event is kept for 24 hours. */
export type StoredEventType = Exclude<EventType, 'task.progress'>

/** Events that are stored, so their delivery is guaranteed. */
export const storedEventTypes = eventTypes.filter((type) => type !== 'task.progress')

/** The state of a webhook delivery. */
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

/** The event for a task that entered a status. */
export function taskEvent(status: TaskStatus): StoredEventType {
  return byTaskStatus[status]
}

/** The event for a job that entered a status. */
export function jobEvent(status: JobStatus): StoredEventType {
  return byJobStatus[status]
}
