const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long after the try before it each try comes: ten of them over 75 hours and a half, as Standard Webhooks has them. */
export const tryDelaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Up to a twentieth later, so that what failed together does not come back together. */
const jitter = 0.05

/** A receiver may ask for more time than its turn gives, up to this. */
const longestRetryAfterMs = hour

export interface Tried {
  /** Tries so far, the one that has just failed included. */
  readonly tries: number
  readonly now: Date
  readonly retryAfterMs?: number | undefined
  /** From 0 to 1. */
  readonly chance: number
}

/** When the next try is due; undefined if there is none. */
export function nextTryAt({ tries, now, retryAfterMs = 0, chance }: Tried): Date | undefined {
  const delay = tryDelaysMs[tries]
  if (delay === undefined) return undefined
  const asked = Math.min(retryAfterMs, longestRetryAfterMs)
  return new Date(now.getTime() + Math.round(Math.max(delay * (1 + jitter * chance), asked)))
}

/** Reads `Retry-After`: seconds, or a date. What is neither says nothing. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  const date = /^[A-Z][a-z]{2},/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
