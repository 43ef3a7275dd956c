/** One try at a size: the requested bit rate and the resulting size. */
export interface Try {
  readonly kbps: number
  readonly bytes: number
}

/** The target: never more than `bytes`, and not much less. */
export interface Aim {
  readonly bytes: number
  /** The smallest share of `bytes` that is good enough. */
  readonly enough: number
}

/** Whether a size is on target. */
export function isMet({ bytes, enough }: Aim, size: number): boolean {
  return size <= bytes && size >= bytes * enough
}

/** The size to aim for within the target range, because encoders miss in both directions. */
export function middle({ bytes, enough }: Aim): number {
  return (bytes * (1 + enough)) / 2
}

/**
 * The bit rate to try next. The size is assumed to grow linearly with the rate, on top of a fixed part. Once one try
 * was too large and one was small enough, the rate is interpolated between them. Before that, it is scaled in
 * proportion to the last try.
 */
export function nextKbps(aim: Aim, tries: readonly Try[], fixedBytes: number): number {
  const last = tries.at(-1)
  if (last === undefined) return 0
  const over = tries.filter(({ bytes }) => bytes > aim.bytes).sort((a, b) => a.kbps - b.kbps)[0]
  const under = tries.filter(({ bytes }) => bytes <= aim.bytes).sort((a, b) => b.kbps - a.kbps)[0]
  if (over && under && over.kbps > under.kbps) return between(middle(aim), under, over)
  const wanted = Math.max(middle(aim) - fixedBytes, middle(aim) / 100)
  const got = Math.max(last.bytes - fixedBytes, last.bytes / 100)
  // A single try predicts little about rates far from it.
  return last.kbps * Math.min(Math.max(wanted / got, 0.25), 4)
}

function between(bytes: number, under: Try, over: Try): number {
  const share = (bytes - under.bytes) / Math.max(over.bytes - under.bytes, 1)
  // Never an end of the range, which was already tried.
  return under.kbps + (over.kbps - under.kbps) * Math.min(Math.max(share, 0.05), 0.95)
}
