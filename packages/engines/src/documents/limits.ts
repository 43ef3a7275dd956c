import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** What one run of LibreOffice may use. */
export const officeStepLimits: StepLimits = {
  timeMs: 300_000,
  memoryBytes: 4 * GiB,
  outputBytes: 4 * GiB,
  // A question nobody sees to answer is the one way it waits for ever.
  silenceMs: 60_000,
}

/** What the runner accepts. */
export const documentLimits = {
  pages: 10_000,
  /** Of the zip a document is, counted while it is unpacked. */
  zip: {
    entries: 10_000,
    bytes: 2 * GiB,
    /** Unpacked bytes for each packed one, judged once so many have come. */
    ratio: 100,
    ratioAfterBytes: 64 * MiB,
    /** Archives within archives: documents hold documents, and only an archive that holds itself goes on like this. */
    depth: 16,
  },
} as const
