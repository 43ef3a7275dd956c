import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Limits for compressing one document. */
export const packageStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: 2 * GiB }

/** Limits of what the runner accepts. */
export const packageLimits = {
  zip: {
    entries: 10_000,
    directoryBytes: 16 * MiB,
    bytes: 2 * GiB,
    /** Unpacked bytes per packed byte, checked once `ratioAfterBytes` are unpacked. */
    ratio: 250,
    ratioAfterBytes: 128 * MiB,
  },
  /** Parts that are read to find how large images are shown. The sizes in a longer part count as unknown. */
  xml: { partBytes: 64 * MiB, partsBytes: 256 * MiB },
  /** Larger image files are left as they are. */
  imageBytes: 64 * MiB,
  /** Images with more pixels, in the file or after scaling, are left as they are. */
  image: { sourcePixels: 150_000_000, pixels: 40_000_000 },
  /** After this time the remaining images are left as they are. */
  imagesMs: 180_000,
} as const
