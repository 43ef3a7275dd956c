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

/** The status the tasks give their job. Once failed or completed, a job no longer follows them. */
export function jobStatusOf(current: JobStatus, tasks: readonly TaskStatus[]): JobStatus {
  if (current === 'failed' || current === 'completed') return current
  if (tasks.some(isBadEnd)) return 'failed'
  if (tasks.every((status) => status === 'completed')) return 'completed'
  return tasks.some((status) => status !== 'created') ? 'processing' : current
}
