/** What a waiting task waits for: files of other tasks, a slot of its owner, or a worker. */
export const waitReasons = ['input', 'slot', 'worker'] as const

export type WaitReason = (typeof waitReasons)[number]

/** The queue position of a waiting task, as its owner sees it. */
export interface QueuePlace {
  readonly waitsFor: WaitReason
  /** 1 for the next; null while it waits for files, or if too many tasks are before it to count them. */
  readonly position: number | null
  /** Null if there are too few recent runs. */
  readonly secondsToStart: number | null
  readonly secondsToEnd: number | null
}

/** A task that started recently, and how long it took if it is done. */
export interface RecentRun {
  readonly operation: string
  readonly to: string | null
  readonly startedAt: Date
  readonly tookMs: number | null
}

/** A task that waits in the queue. */
export interface InLine {
  readonly position: number
  readonly operation: string
  readonly to: string | null
}

// Earlier starts do not show how fast the queue moves now.
const recentMs = 5 * 60_000
const leastStarts = 5
const leastRuns = 3

/** Estimates the time to start from the rate of the latest starts, and the time to end from similar runs. */
export function estimateWait(
  { position, operation, to }: InLine,
  runs: readonly RecentRun[],
  now: Date,
): Pick<QueuePlace, 'secondsToStart' | 'secondsToEnd'> {
  const waitMs = waitOf(position, runs, now)
  const alike = runs.filter((run) => run.operation === operation && run.to === to)
  const runMs = medianOf(alike) ?? medianOf(runs)
  if (waitMs === null) return { secondsToStart: null, secondsToEnd: null }
  return { secondsToStart: toSeconds(waitMs), secondsToEnd: runMs === null ? null : toSeconds(waitMs + runMs) }
}

const toSeconds = (ms: number) => Math.ceil(ms / 1000)

function waitOf(position: number, runs: readonly RecentRun[], now: Date): number | null {
  const ages = runs.map(({ startedAt }) => now.getTime() - startedAt.getTime()).filter((age) => age < recentMs)
  if (ages.length < leastStarts) return null
  return (position * Math.max(0, ...ages)) / ages.length
}

function medianOf(runs: readonly RecentRun[]): number | null {
  const times = runs.flatMap(({ tookMs }) => (tookMs === null ? [] : [tookMs])).sort((a, b) => a - b)
  return times.length < leastRuns ? null : (times[Math.floor(times.length / 2)] ?? null)
}
