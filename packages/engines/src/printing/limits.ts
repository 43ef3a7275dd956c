import type { StepLimits } from '../engine.ts'

const GiB = 1024 ** 3

/** What one browser may use for one stored page. */
export const browserStepLimits: StepLimits = { timeMs: 60_000, memoryBytes: 2 * GiB, outputBytes: GiB }

/** What the runner is told. */
export const pageLimits = {
  /** A stored page needs no network; one that has not loaded by then is taken as it is. */
  loadMs: 30_000,
  /** The longest picture; Chromium's own limit of a texture's side. */
  height: 16_384,
  /** Characters of a page as one HTML file. */
  htmlBytes: 268_435_456,
} as const
