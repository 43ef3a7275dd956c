import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits for a data document. */
export const dataLimits = {
  /** Size of the file, and of YAML after its aliases are expanded. */
  bytes: 64 * MiB,
  /** Lists, objects and their members. */
  values: 5_000_000,
  /** Nesting depth of lists and objects. */
  depth: 200,
  /** Rows times columns of a table in the output: a few objects with many different keys would make it large. */
  cells: 10_000_000,
} as const

/** Limits of one run: five million values take Python a minute and 1 GiB. */
export const dataStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: 3 * GiB, outputBytes: GiB }
