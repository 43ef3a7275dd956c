// @ts-check
import { Refusal } from './refusal.mjs'

/** Browsers show no frame for less. */
const shortestDelay = 20

/**
 * The frames shown between two moments, and for how long each is shown then.
 * @param {{ pages: number, delay: number[] | undefined }} animation
 * @param {{ start?: number, end?: number }} params
 */
export function framesWithin({ pages, delay = [] }, { start = 0, end }) {
  const [from, to] = [start * 1000, end === undefined ? Number.POSITIVE_INFINITY : end * 1000]
  if (to <= from) throw new Refusal('unsupported', 'The end must come after the start.')
  const kept = []
  let at = 0
  for (let page = 0; page < pages; page++) {
    // An animation without times is shown at ten frames a second.
    const next = at + (delay[page] || 100)
    const shown = Math.min(next, to) - Math.max(at, from)
    if (shown > 0) kept.push({ page, delay: Math.max(shortestDelay, Math.round(shown)) })
    at = next
  }
  const [first] = kept
  if (first) return { page: first.page, pages: kept.length, delay: kept.map((frame) => frame.delay) }
  throw new Refusal('unsupported', `The animation ends after ${at / 1000} seconds, before the part to keep begins.`)
}
