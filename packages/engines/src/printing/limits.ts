import type { StepLimits } from '../engine.ts'

const GiB = 1024 ** 3

/** Limits of one browser for one stored page. */
export const browserStepLimits: StepLimits = { timeMs: 60_000, memoryBytes: 2 * GiB, outputBytes: GiB }

/** Limits that the runner applies. */
export const pageLimits = {
  /** A stored page needs no network. One that has not loaded by then is used as it is. */
  loadMs: 30_000,
  /** The greatest height of an image: Chromium's limit for the side of a texture. */
  height: 16_384,
  /** Characters of a page as one HTML file. */
  htmlBytes: 268_435_456,
} as const
