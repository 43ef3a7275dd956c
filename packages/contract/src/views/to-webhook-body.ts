import type { StoredEventType } from '@lathe/domain'
import type { Event } from '../schemas/event-view.ts'

/** Receivers expect smaller bodies: Standard Webhooks asks for less than 20 kB. */
export const maxBodyBytes = 20_000

/** What is known about an event without its job or task. */
export interface EventRef {
  readonly id: string
  readonly type: StoredEventType
  readonly createdAt: Date
  readonly seq: number
  readonly subjectId: string
  readonly taskId: string | null
}

/**
 * The body of a delivery. If an event is too large, or its job or task no longer exists, the body has only ids, links
 * and a few fields, and `truncated: true`.
 */
export function toWebhookBody(event: Event | undefined, ref: EventRef, publicUrl: string): string {
  const whole = event && JSON.stringify(event)
  if (whole !== undefined && new TextEncoder().encode(whole).length < maxBodyBytes) return whole
  const { id, type, createdAt, seq } = ref
  const data = trimmed(event?.data, ref, `${publicUrl}/v1/process`)
  return JSON.stringify({ id, type, createdAt: createdAt.toISOString(), seq, data, truncated: true })
}

function trimmed(data: Event['data'] | undefined, { subjectId, taskId }: EventRef, root: string): object {
  if (taskId === null) {
    const job = data && 'job' in data ? { status: data.job.status, tag: data.job.tag, result: data.job.result } : {}
    return { job: { id: subjectId, ...job, url: `${root}/jobs/${subjectId}` } }
  }
  const task = data && 'task' in data ? { name: data.task.name, status: data.task.status } : {}
  const job = subjectId === taskId ? null : subjectId
  return { task: { id: taskId, job, ...task, url: `${root}/tasks/${taskId}` } }
}
