/**
 * The life of a task. Every arrow in the system is in this table; the check in
 * the database's migrations names the same states.
 *
 *   created ─▶ processing ─▶ completed
 *      │           ├─▶ failed
 *      │           └─▶ canceled
 *      ├─▶ failed      (an input ended badly, or a limit forbids it)
 *      └─▶ canceled                          every state ─▶ deleted
 *
 * A retry is invisible: the task stays `processing`.
 */
const arrows = {
  created: ['processing', 'failed', 'canceled', 'deleted'],
  processing: ['completed', 'failed', 'canceled', 'deleted'],
  completed: ['deleted'],
  canceled: ['deleted'],
  failed: ['deleted'],
  deleted: [],
} as const

export type TaskStatus = keyof typeof arrows
export const taskStatuses = Object.keys(arrows) as TaskStatus[]

export function canMoveTask(from: TaskStatus, to: TaskStatus): boolean {
  return (arrows[from] as readonly TaskStatus[]).includes(to)
}

/** Whether the task has not ended. */
export function isOpen(status: TaskStatus): boolean {
  return canMoveTask(status, 'failed')
}

/** The ends that affect dependants and the job of a task. */
export type BadEnd = 'failed' | 'canceled' | 'deleted'

export function isBadEnd(status: TaskStatus): status is BadEnd {
  return status === 'failed' || status === 'canceled' || status === 'deleted'
}
