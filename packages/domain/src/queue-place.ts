/** What a waiting task waits for: files of other tasks, a slot of its owner, or a worker. */
export const waitReasons = ['input', 'slot', 'worker'] as const

export type WaitReason = (typeof waitReasons)[number]

/** Where a waiting task stands, as its owner sees it. */
export interface QueuePlace {
  readonly waitsFor: WaitReason
  /** 1 for the next; null while it waits for files, or where too many are before it to be counted. */
  readonly position: number | null
  /** Null where recent runs say too little. */
  readonly secondsToStart: number | null
  readonly secondsToEnd: number | null
}

/** A task that has started lately, and how long it took if it is done. */
export interface RecentRun {
  readonly operation: string
  readonly to: string | null
  readonly startedAt: Date
  readonly tookMs: number | null
}

/** What is known of a task that waits in line. */
export interface InLine {
  readonly position: number
  readonly operation: string
  readonly to: string | null
}

// What started longer ago says little about how fast a line moves now.
const recentMs = 5 * 60_000
const leastStarts = 5
const leastRuns = 3

/** How long a line of this pace takes: at the rate of the latest starts, then as long as runs like it took. */
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
