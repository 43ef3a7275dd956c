import type { StepLimits } from '@lathe/sandbox'

const GiB = 1024 ** 3

/** What one browser may use for one page. */
export const browserLimits: StepLimits = { timeMs: 60_000, memoryBytes: 2 * GiB, outputBytes: GiB }

/** A capture may wait for an element besides, and scroll. */
export const captureLimits: StepLimits = { ...browserLimits, timeMs: 90_000 }

/** How long a page is scrolled through, and what it then asks for is waited for. */
export const scrollMs = 5_000

/** How long a page is waited for; all of it fits into the browser's own time. */
export const pagePatience = {
  /** Until the document begins to arrive. */
  openMs: 20_000,
  /** Until it has loaded; then it is taken as it is. */
  loadMs: 20_000,
  /** So long without a request, and the page counts as complete. */
  quietMs: 500,
} as const
