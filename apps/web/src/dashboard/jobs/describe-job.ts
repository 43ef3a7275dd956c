import type { Job, Task } from '@lathe/contract'

const shown = 3

/** A short description of a task: `convert → WEBP`. */
export function describeTask({ operation, payload }: Pick<Task, 'operation' | 'payload'>): string {
  const { output_format } = payload
  return typeof output_format === 'string' ? `${operation} → ${output_format.toUpperCase()}` : operation
}

/** A short description of a job: its conversions, or how it moves files if there are none. */
export function describeJob({ tasks = [] }: Pick<Job, 'tasks'>): string {
  const working = tasks.filter(({ operation }) => !/^(import|export)\//.test(operation))
  const kinds = [...new Set((working.length > 0 ? working : tasks).map(describeTask))]
  return [...kinds.slice(0, shown), ...(kinds.length > shown ? ['…'] : [])].join(', ')
}

/** The progress of a running job from 0 to 1: ended tasks count as 1, others by their progress. */
export function progressOf({ tasks = [] }: Pick<Job, 'tasks'>): number {
  if (tasks.length === 0) return 0
  const done = tasks.reduce((sum, { status, progress }) => {
    if (status !== 'created' && status !== 'processing') return sum + 1
    return sum + (progress?.percent ?? 0) / 100
  }, 0)
  return done / tasks.length
}

/** Seconds from start to end, or to now. */
export function secondsOf({ startedAt, endedAt }: Pick<Job, 'startedAt' | 'endedAt'>, now: Date): number | undefined {
  if (startedAt === null) return undefined
  const end = endedAt === null ? now.getTime() : Date.parse(endedAt)
  return Math.max(0, end - Date.parse(startedAt)) / 1000
}
