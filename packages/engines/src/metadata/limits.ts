import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** What a document of metadata may hold: longer values are cut, with a warning. */
export const metadataLimits = {
  /** Characters of one value. */
  characters: 10_000,
  /** Entries of one list; ExifTool itself stops at 1,000. */
  entries: 500,
  /** Bytes of the whole JSON document. */
  bytes: 4 * MiB,
} as const

/** What one run of ExifTool may use. */
export const metadataStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: GiB, outputBytes: 4 * GiB }
