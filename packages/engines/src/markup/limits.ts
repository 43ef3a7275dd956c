import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Limits for a book. An archive is checked before any of it is unpacked. */
export const bookLimits = {
  /** Files in an EPUB. */
  entries: 20_000,
  /** Total unpacked size, or the size of a FictionBook. */
  bytes: GiB,
  /** Maximum expansion of an archive that unpacks to more than `freeBytes`. */
  ratio: 200,
  freeBytes: 64 * MiB,
  /** Size of the book as one page, with its images. */
  page: 256 * MiB,
  /** Size of a text that Pandoc reads. */
  text: 32 * MiB,
} as const

/** Limits of one run of Pandoc or of a script. */
export const pandocStepLimits: StepLimits = {
  timeMs: 180_000,
  memoryBytes: 2 * GiB,
  outputBytes: GiB,
  silenceMs: 120_000,
}

/** Pandoc's heap limit in MiB. Pandoc exits if it needs more. */
export const pandocHeapMiB = 1536

/** Limits of the browser that prints a book: a thousand pages take half a minute. */
export const printLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: GiB }
