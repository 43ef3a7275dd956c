import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** What a document of data may hold. */
export const dataLimits = {
  /** The file; also the text of YAML once its aliases are written out. */
  bytes: 64 * MiB,
  /** Lists, objects, and what they hold. */
  values: 5_000_000,
  /** Lists and objects inside one another. */
  depth: 200,
  /** Rows times columns of a table that is written: few objects with many different keys would make it large. */
  cells: 10_000_000,
} as const

/** What one run may use: five million values take Python a minute and 1 GiB. */
export const dataStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: 3 * GiB, outputBytes: GiB }
