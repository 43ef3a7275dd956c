import type { StepLimits } from '@lathe/sandbox'

const GiB = 1024 ** 3

/** The limits of one browser for one page. */
export const browserLimits: StepLimits = { timeMs: 60_000, memoryBytes: 2 * GiB, outputBytes: GiB }

/** A capture may also wait for an element, and scroll. */
export const captureLimits: StepLimits = { ...browserLimits, timeMs: 90_000 }

/** How long a page is scrolled, including the wait for the requests it then makes. */
export const scrollMs = 5_000

/** How long to wait for a page. All of it fits into the browser's time limit. */
export const pagePatience = {
  /** Until the document begins to arrive. */
  openMs: 20_000,
  /** Until it has loaded. After that it is captured as it is. */
  loadMs: 20_000,
  /** After this long without a request, the page counts as complete. */
  quietMs: 500,
} as const
