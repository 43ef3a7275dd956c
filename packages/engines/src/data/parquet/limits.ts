import type { StepLimits } from '../../engine.ts'
import { GiB, MiB } from '../../tool.ts'

/** Limits for a Parquet table that is read. */
export const parquetLimits = {
  bytes: 512 * MiB,
  /** Leaf columns; those in structs and lists count individually. */
  columns: 10_000,
  /** Nesting depth of lists and structs. */
  depth: 60,
  /** Cells, list items and dictionary entries, as counted by the page headers. */
  values: 100_000_000,
  /** Size of the metadata at the end of the file, which the library parses into objects. */
  footerBytes: 32 * MiB,
  /** Uncompressed size of one column in one row group. */
  pageBytes: 512 * MiB,
  /** Size of the text that is written. */
  outputBytes: GiB,
  /** Cells in memory at the same time. */
  windowValues: 1_000_000,
} as const

/** Limits for writing a table: rows in memory at the same time, and their size as JSON. */
export const groupLimits = { columns: 10_000, groupRows: 100_000, groupBytes: 32 * MiB } as const

/** Heap of the thread that reads or writes. A file that needs more is refused before the system kills the process. */
export const heapMiB = 1280

/** Limits of one run: a hundred million values take Node about two minutes. */
export const parquetStepLimits: StepLimits = { timeMs: 600_000, memoryBytes: 3 * GiB, outputBytes: GiB }
