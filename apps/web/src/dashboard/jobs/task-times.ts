import type { Task } from '@lathe/contract'

/** When a task was ready, started and ended; in milliseconds since the epoch. */
export interface TaskTimes {
  readonly readyAt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly hasEnded: boolean
}

/** The times of a task. Waiting for other tasks does not count as waiting. Undefined until it is ready. */
export function timesOf(task: Task, tasks: readonly Task[], now: Date): TaskTimes | undefined {
  const before = tasks.filter(({ id }) => task.dependsOn.includes(id))
  if (before.some(({ endedAt }) => endedAt === null)) return undefined
  const ends = before.flatMap(({ endedAt }) => (endedAt === null ? [] : Date.parse(endedAt)))
  const readyAt = Math.max(Date.parse(task.createdAt), ...ends)
  const endedAt = task.endedAt === null ? now.getTime() : Date.parse(task.endedAt)
  // A task that ended without starting has waited until its end.
  const startedAt = task.startedAt === null ? endedAt : Date.parse(task.startedAt)
  const hasEnded = task.endedAt !== null
  return { readyAt, startedAt: Math.max(readyAt, startedAt), endedAt: Math.max(readyAt, endedAt), hasEnded }
}

/** The phases of the work on a task, in order. */
export const workPhases = ['fetch', 'engine', 'store'] as const

export interface Phase {
  readonly kind: (typeof workPhases)[number]
  readonly from: number
  readonly to: number
}

/**
 * The position of each measured phase between start and end. Phases are drawn one after another although a task with
 * several files alternates between them, and never beyond the end: the clocks of worker and database differ a little.
 */
export function phasesOf({ times }: Task, { startedAt, endedAt }: TaskTimes): readonly Phase[] {
  if (!times) return []
  const lengths = workPhases.map((kind) => times[`${kind}Ms`])
  const sum = lengths.reduce((total, ms) => total + ms, 0)
  const scale = Math.min(1, (endedAt - startedAt) / Math.max(1, sum))
  let at = startedAt
  return workPhases.map((kind, n) => {
    const from = at
    at += (lengths[n] ?? 0) * scale
    return { kind, from, to: at }
  })
}
