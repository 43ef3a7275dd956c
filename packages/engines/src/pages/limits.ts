import type { StepLimits } from '../engine.ts'

/** What a PDF may be before anything is drawn or copied. */
export const pdfLimits = {
  pages: 10_000,
  /** The longest side of a page that becomes pixels. */
  side: 10_000,
  /** ISO 32000-1, annex C.2: the longest side of a page, in points. */
  points: 14_400,
  /** How many pages one run of a program may draw: the time of a step is for so many. */
  pagesPerStep: 1000,
} as const

const GiB = 1024 ** 3

/** What one run of qpdf, poppler or MuPDF may use. */
export const pdfStepLimits: StepLimits = {
  timeMs: 300_000,
  memoryBytes: 2 * GiB,
  outputBytes: 4 * GiB,
  silenceMs: 120_000,
}

/** How long one attempt to repair a PDF may take. */
export const repairSeconds = 30

/**
 * How much of a PDF LibreOffice is asked to place in a document. Each drawing becomes a shape and each line of text a
 * frame, and the time it takes grows with the square of their number: on two busy cores 10,000 shapes took 130 s.
 */
export const importLimits = {
  drawings: 15_000,
  characters: 1_000_000,
  /** How long its reader may take to list them, and how much memory. */
  readSeconds: 15,
  readKiB: 1_500_000,
  /** How long the whole import may take before a simpler document is made. */
  timeMs: 180_000,
  /** How long one way to read the text alone may take. */
  textSeconds: 60,
} as const

/** What the decoding of a DjVu book may use: a page takes up to a second. */
export const djvuLimits: StepLimits = { ...pdfStepLimits, timeMs: 1_800_000 }

/** What recognising text may use: a page takes seconds, and nothing is reported meanwhile. */
export const ocrLimits: StepLimits = { ...pdfStepLimits, timeMs: 1_800_000, memoryBytes: 4 * GiB, silenceMs: 300_000 }

/** What a PostScript program may use: it can loop for ever, so its time is that of an image. */
export const postscriptLimits: StepLimits = { ...pdfStepLimits, timeMs: 120_000, memoryBytes: GiB, outputBytes: GiB }
