import { type BadEnd, isBadEnd, type TaskStatus } from './task-state.ts'

/**
 * The life of a job, which follows from its tasks.
 *
 *   created ─▶ processing ─▶ completed
 *      └────────────┴──────▶ failed      (at the first task that ends badly)
 */
const arrows = {
  created: ['processing', 'completed', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
} as const

export type JobStatus = keyof typeof arrows
export const jobStatuses = Object.keys(arrows) as JobStatus[]

export function canMoveJob(from: JobStatus, to: JobStatus): boolean {
  return (arrows[from] as readonly JobStatus[]).includes(to)
}

/** The error code of a job for each bad end of one of its tasks. */
export const jobErrorCodes = {
  failed: 'task_failed',
  canceled: 'task_canceled',
  deleted: 'task_deleted',
} as const satisfies Record<BadEnd, string>

export type JobErrorCode = (typeof jobErrorCodes)[BadEnd]

/**
 * The status of a job after one of its tasks moved, when `remaining` of them have not completed. A failed or completed
 * job no longer follows its tasks.
 */
export function jobStatusAfter(current: JobStatus, to: TaskStatus, remaining: number): JobStatus {
  if (current === 'failed' || current === 'completed') return current
  if (isBadEnd(to)) return 'failed'
  if (remaining === 0) return 'completed'
  return to === 'created' ? current : 'processing'
}

/** The status of a new job whose tasks begin like this. */
export function jobStatusOf(tasks: readonly TaskStatus[]): JobStatus {
  const remaining = tasks.filter((status) => status !== 'completed').length
  return tasks.reduce<JobStatus>((status, task) => jobStatusAfter(status, task, remaining), 'created')
}
