import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits for extracting an archive. */
export const extractLimits = {
  /** Entries of an archive, including folders and links. */
  entries: 10_000,
  /** Files extracted from one archive. */
  files: 2_000,
  bytes: 2 * GiB,
  /** Extracted bytes per byte of the archive, checked after `ratioAfterBytes`. */
  ratio: 200,
  ratioAfterBytes: 64 * MiB,
  /** Total size of all file names as the script reports them: only 1 MiB of its output is kept. */
  namesBytes: 900_000,
} as const

/** Limits for packing an archive. */
export const packLimits = { files: 2_000, bytes: 2 * GiB } as const

/** Limits for reading or writing one archive. */
export const archiveStepLimits: StepLimits = { timeMs: 600_000, memoryBytes: GiB, outputBytes: 4 * GiB }
