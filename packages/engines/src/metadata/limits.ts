import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits for a metadata document. Longer values are truncated, with a warning. */
export const metadataLimits = {
  /** Characters of one value. */
  characters: 10_000,
  /** Entries of one list; ExifTool itself stops at 1,000. */
  entries: 500,
  /** Bytes of the whole JSON document. */
  bytes: 4 * MiB,
} as const

/** Limits of one run of ExifTool. */
export const metadataStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: GiB, outputBytes: 4 * GiB }
