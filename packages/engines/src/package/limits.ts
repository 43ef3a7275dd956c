import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** What compressing one document may use. */
export const packageStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: 2 * GiB }

/** What the runner accepts. */
export const packageLimits = {
  zip: {
    entries: 10_000,
    directoryBytes: 16 * MiB,
    bytes: 2 * GiB,
    /** Unpacked bytes for each packed byte, judged once so many are unpacked. */
    ratio: 250,
    ratioAfterBytes: 128 * MiB,
  },
  /** Parts read to find how large images are shown. The sizes in a longer part count as unknown. */
  xml: { partBytes: 64 * MiB, partsBytes: 256 * MiB },
  /** Longer images are left as they are. */
  imageBytes: 64 * MiB,
  /** Images of more pixels are left as they are: in the file, and after scaling. */
  image: { sourcePixels: 150_000_000, pixels: 40_000_000 },
  /** After this long, the remaining images are left as they are. */
  imagesMs: 180_000,
} as const
