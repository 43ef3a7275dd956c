import type { StepLimits } from '../engine.ts'

/** Limits that a PDF must meet before it is drawn or copied. */
export const pdfLimits = {
  pages: 10_000,
  /** The longest side of a rendered page, in pixels. */
  side: 10_000,
  /** ISO 32000-1, annex C.2: the longest side of a page, in points. */
  points: 14_400,
  /** How many pages one run of a program may draw: the time limit of a step is chosen for this number. */
  pagesPerStep: 1000,
} as const

const GiB = 1024 ** 3

/** Limits of one run of qpdf, poppler or MuPDF. */
export const pdfStepLimits: StepLimits = {
  timeMs: 300_000,
  memoryBytes: 2 * GiB,
  outputBytes: 4 * GiB,
  silenceMs: 120_000,
}

/** How long one attempt to repair a PDF may take. */
export const repairSeconds = 30

/**
 * How much of a PDF LibreOffice imports into a document. Each drawing becomes a shape and each line of text a frame,
 * and the time grows with the square of their number: on two busy cores 10,000 shapes took 130 s.
 */
export const importLimits = {
  drawings: 15_000,
  characters: 1_000_000,
  /** How much time and memory the reader of LibreOffice may use to list them. */
  readSeconds: 15,
  readKiB: 1_500_000,
  /** How long the whole import may take before a simpler document is made instead. */
  timeMs: 180_000,
  /** How long each way to read only the text may take. */
  textSeconds: 60,
} as const

/** Limits for decoding a DjVu book: a page takes up to a second. */
export const djvuLimits: StepLimits = { ...pdfStepLimits, timeMs: 1_800_000 }

/** Limits for recognizing text: a page takes seconds, and the program reports nothing meanwhile. */
export const ocrLimits: StepLimits = { ...pdfStepLimits, timeMs: 1_800_000, memoryBytes: 4 * GiB, silenceMs: 300_000 }

/** Limits of a PostScript program. It can loop forever, so it gets only the time of an image. */
export const postscriptLimits: StepLimits = { ...pdfStepLimits, timeMs: 120_000, memoryBytes: GiB, outputBytes: GiB }
