const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The delay of each attempt after the previous one: ten attempts over 75.5 hours, as in Standard Webhooks. */
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

/** Up to 5% later, so that deliveries that failed together are not retried together. */
const jitter = 0.05

/** A receiver may ask for a longer delay than the schedule's, up to this. */
const longestRetryAfterMs = hour

export interface Tried {
  /** Attempts so far, including the one that just failed. */
  readonly tries: number
  readonly now: Date
  readonly retryAfterMs?: number | undefined
  /** From 0 to 1. */
  readonly chance: number
}

/** When the next attempt is due; undefined if there is none. */
export function nextTryAt({ tries, now, retryAfterMs = 0, chance }: Tried): Date | undefined {
  const delay = tryDelaysMs[tries]
  if (delay === undefined) return undefined
  const asked = Math.min(retryAfterMs, longestRetryAfterMs)
  return new Date(now.getTime() + Math.round(Math.max(delay * (1 + jitter * chance), asked)))
}

/** Parses `Retry-After`: seconds or a date. Anything else is ignored. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  const date = /^[A-Z][a-z]{2},/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
