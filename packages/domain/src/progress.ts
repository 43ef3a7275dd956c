/** How far a running task is, as its owner sees it. */
export interface Progress {
  readonly percent: number
  /** Null while nothing can be said about it. */
  readonly secondsLeft: number | null
}

/** How much of a run was done at a moment of a clock that only goes forward. */
export interface ProgressPoint {
  /** From 0 to 1. */
  readonly share: number
  readonly atMs: number
}

/** What the points so far say about a run. */
export interface Pace {
  /** Where counting began: what came before, such as fetching files, says nothing about the engine's speed. */
  readonly first: ProgressPoint
  readonly last: ProgressPoint
  readonly leftMs: number | null
}

// How much a new estimate weighs against the one before it: with a point a second, a change of speed shows within
// about three seconds and a single slow second hardly at all.
const newWeight = 0.3
// Less than this says nothing about a speed.
const leastDone = 0.001

/** Takes in one more point, about a second after the last. The share never goes back. */
export function paceAfter(pace: Pace | undefined, { share, atMs }: ProgressPoint): Pace {
  const point = { share: Math.max(pace?.last.share ?? 0, Math.min(share, 1)), atMs }
  if (!pace) return { first: point, last: point, leftMs: null }
  return { first: pace.first, last: point, leftMs: smoothed(pace, estimate(pace.first, point), atMs) }
}

/** What is left if the rest goes as fast as what is done. */
function estimate(first: ProgressPoint, { share, atMs }: ProgressPoint): number | null {
  const done = share - first.share
  return done >= leastDone ? ((atMs - first.atMs) * (1 - share)) / done : null
}

function smoothed({ last, leftMs }: Pace, estimated: number | null, atMs: number): number | null {
  if (leftMs === null || estimated === null) return estimated
  const expected = Math.max(0, leftMs - (atMs - last.atMs))
  return expected + newWeight * (estimated - expected)
}

/** What a pace looks like from outside. */
export function toProgress({ last, leftMs }: Pace): Progress {
  return { percent: Math.floor(last.share * 100), secondsLeft: leftMs === null ? null : Math.ceil(leftMs / 1000) }
}
