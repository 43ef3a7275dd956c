/** One try at a size: the bit rate that was asked for and the bytes that came out. */
export interface Try {
  readonly kbps: number
  readonly bytes: number
}

/** What is to be reached: never more than this, and not much less. */
export interface Aim {
  readonly bytes: number
  /** The least share of it that is good enough. */
  readonly enough: number
}

/** Whether a size is on target. */
export function isMet({ bytes, enough }: Aim, size: number): boolean {
  return size <= bytes && size >= bytes * enough
}

/** Where to aim within the target: encoders err to both sides. */
export function middle({ bytes, enough }: Aim): number {
  return (bytes * (1 + enough)) / 2
}

/**
 * The bit rate to try next. Bytes are taken to grow evenly with the rate, upon what is there at any rate: between a
 * try that was over and one that was under by a straight line, before that in proportion to the last one.
 */
export function nextKbps(aim: Aim, tries: readonly Try[], fixedBytes: number): number {
  const last = tries.at(-1)
  if (last === undefined) return 0
  const over = tries.filter(({ bytes }) => bytes > aim.bytes).sort((a, b) => a.kbps - b.kbps)[0]
  const under = tries.filter(({ bytes }) => bytes <= aim.bytes).sort((a, b) => b.kbps - a.kbps)[0]
  if (over && under && over.kbps > under.kbps) return between(middle(aim), under, over)
  const wanted = Math.max(middle(aim) - fixedBytes, middle(aim) / 100)
  const got = Math.max(last.bytes - fixedBytes, last.bytes / 100)
  // A single try says little far from itself.
  return last.kbps * Math.min(Math.max(wanted / got, 0.25), 4)
}

function between(bytes: number, under: Try, over: Try): number {
  const share = (bytes - under.bytes) / Math.max(over.bytes - under.bytes, 1)
  // Never at an end that was tried already.
  return under.kbps + (over.kbps - under.kbps) * Math.min(Math.max(share, 0.05), 0.95)
}
