import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** What a book may hold. An archive is measured before any of it is unpacked. */
export const bookLimits = {
  /** Files in an EPUB. */
  entries: 20_000,
  /** All of them unpacked, or a FictionBook as it is. */
  bytes: GiB,
  /** An archive that unpacks to more than `freeBytes` may not grow by more than this. */
  ratio: 200,
  freeBytes: 64 * MiB,
  /** The book as one page, with its images. */
  page: 256 * MiB,
  /** A text to be read by Pandoc. */
  text: 32 * MiB,
} as const

/** What one run of Pandoc or of a script may use. */
export const pandocStepLimits: StepLimits = {
  timeMs: 180_000,
  memoryBytes: 2 * GiB,
  outputBytes: GiB,
  silenceMs: 120_000,
}

/** Pandoc's own heap, in MiB: past it, it ends by itself. */
export const pandocHeapMiB = 1536

/** What the browser may use to print a book: a thousand pages take it half a minute. */
export const printLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: GiB }
