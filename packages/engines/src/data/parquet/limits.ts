import type { StepLimits } from '../../engine.ts'
import { GiB, MiB } from '../../tool.ts'

/** What a Parquet table may hold that is read. */
export const parquetLimits = {
  bytes: 512 * MiB,
  /** Columns without children; those of structs and lists count one by one. */
  columns: 10_000,
  /** Lists and structs inside one another. */
  depth: 60,
  /** Cells, items of lists and entries of dictionaries, as the headers of the pages count them. */
  values: 100_000_000,
  /** The description at the end of the file, from which the library makes objects. */
  footerBytes: 32 * MiB,
  /** A column of one group of rows, unpacked. */
  pageBytes: 512 * MiB,
  /** The text that is written. */
  outputBytes: GiB,
  /** Cells that are in memory at the same time. */
  windowValues: 1_000_000,
} as const

/** How a table is written: rows that are in memory at the same time, and bytes of them as JSON. */
export const groupLimits = { columns: 10_000, groupRows: 100_000, groupBytes: 32 * MiB } as const

/** The heap of the thread that reads or writes; what is beyond is refused instead of ended by the system. */
export const heapMiB = 1280

/** What one run may use: a hundred million values take Node about two minutes. */
export const parquetStepLimits: StepLimits = { timeMs: 600_000, memoryBytes: 3 * GiB, outputBytes: GiB }
