import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** What an archive may hold to be extracted. */
export const extractLimits = {
  /** Entries of an archive, folders and links with them. */
  entries: 10_000,
  /** Files that come out of one archive. */
  files: 2_000,
  bytes: 2 * GiB,
  /** Extracted bytes for each byte of the archive, judged once so many are extracted. */
  ratio: 200,
  ratioAfterBytes: 64 * MiB,
  /** Names of all files together, as the script reports them: 1 MiB of its output is kept. */
  namesBytes: 900_000,
} as const

/** What may be packed into one archive. */
export const packLimits = { files: 2_000, bytes: 2 * GiB } as const

/** What reading or writing one archive may use. */
export const archiveStepLimits: StepLimits = { timeMs: 600_000, memoryBytes: GiB, outputBytes: 4 * GiB }
