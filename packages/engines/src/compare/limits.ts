import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** What can be compared. */
export const compareLimits = {
  /** Pages of each PDF. */
  pages: 100,
  /** Longest side at which images are compared; larger ones are reduced to it. */
  side: 4096,
  /** Lines of each text. */
  lines: 50_000,
  /** Changes of the text that a report lists. */
  changes: 1_000,
} as const

export const compareStepLimits: StepLimits = { timeMs: 120_000, memoryBytes: GiB, outputBytes: 64 * MiB }
