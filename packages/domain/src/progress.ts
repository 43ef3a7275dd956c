/** The progress of a running task, as its owner sees it. */
export interface Progress {
  readonly percent: number
  /** Null while there is no estimate. */
  readonly secondsLeft: number | null
}

/** How much of a run was done at a time of a monotonic clock. */
export interface ProgressPoint {
  /** From 0 to 1. */
  readonly share: number
  readonly atMs: number
}

/** The progress of a run so far. */
export interface Pace {
  /** Where measuring began: what came before, such as fetching files, does not show the engine's speed. */
  readonly first: ProgressPoint
  readonly last: ProgressPoint
  readonly leftMs: number | null
}

// The weight of a new estimate against the previous one. With one point per second, a change of speed shows within
// about three seconds, and a single slow second hardly at all.
const newWeight = 0.3
// Below this share the speed cannot be estimated.
const leastDone = 0.001

/** Adds a point, about a second after the last one. The share never decreases. */
export function paceAfter(pace: Pace | undefined, { share, atMs }: ProgressPoint): Pace {
  const point = { share: Math.max(pace?.last.share ?? 0, Math.min(share, 1)), atMs }
  if (!pace) return { first: point, last: point, leftMs: null }
  return { first: pace.first, last: point, leftMs: smoothed(pace, estimate(pace.first, point), atMs) }
}

/** The remaining time if the rest runs at the same speed. */
function estimate(first: ProgressPoint, { share, atMs }: ProgressPoint): number | null {
  const done = share - first.share
  return done >= leastDone ? ((atMs - first.atMs) * (1 - share)) / done : null
}

function smoothed({ last, leftMs }: Pace, estimated: number | null, atMs: number): number | null {
  if (leftMs === null || estimated === null) return estimated
  const expected = Math.max(0, leftMs - (atMs - last.atMs))
  return expected + newWeight * (estimated - expected)
}

/** The progress that the owner sees. */
export function toProgress({ last, leftMs }: Pace): Progress {
  return { percent: Math.floor(last.share * 100), secondsLeft: leftMs === null ? null : Math.ceil(leftMs / 1000) }
}
