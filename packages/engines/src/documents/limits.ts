import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Limits of one run of LibreOffice. */
export const officeStepLimits: StepLimits = {
  timeMs: 300_000,
  memoryBytes: 4 * GiB,
  outputBytes: 4 * GiB,
  // A dialog that is never answered is the only way it can wait forever.
  silenceMs: 60_000,
}

/** Limits of the runner. */
export const documentLimits = {
  pages: 10_000,
  /** Limits for a document that is a ZIP, counted while it is unpacked. */
  zip: {
    entries: 10_000,
    bytes: 2 * GiB,
    /** Unpacked bytes per packed byte, checked after `ratioAfterBytes`. */
    ratio: 100,
    ratioAfterBytes: 64 * MiB,
    /**
     * Nesting depth of archives. Documents contain documents, but only an archive that contains itself gets this deep.
     */
    depth: 16,
  },
} as const
