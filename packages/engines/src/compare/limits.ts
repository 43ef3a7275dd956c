import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits of a comparison. */
export const compareLimits = {
  /** Pages of each PDF. */
  pages: 100,
  /** Longest side at which images are compared; larger ones are scaled down. */
  side: 4096,
  /** Lines of each text. */
  lines: 50_000,
  /** Text changes that a report lists. */
  changes: 1_000,
} as const

export const compareStepLimits: StepLimits = { timeMs: 120_000, memoryBytes: GiB, outputBytes: 64 * MiB }
