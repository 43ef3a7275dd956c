import type { StepLimits } from '../engine.ts'
import { pictureLimits } from './limits.ts'

const GiB = 1024 ** 3

/** Limits of one run of ImageMagick, the JPEG XL tools or LibRaw. */
export const magickStepLimits: StepLimits = { timeMs: 120_000, memoryBytes: GiB, outputBytes: 4 * GiB }

/** Reading a header takes milliseconds for any image. */
export const probeStepLimits: StepLimits = { timeMs: 20_000, memoryBytes: GiB / 2, outputBytes: GiB / 16 }

/** The longest side of an image that ImageMagick reads. */
export const longestSides = {
  any: 1_000_000,
  /** Icons of 1,024 pixels are rare, and ImageMagick decodes a bitmap inside completely to find its size. */
  icon: 8192,
  /** ImageMagick allocates pixels to find the size. */
  fits: 16_384,
} as const

/** How long Pillow may take for one image: some plugins search a damaged file for hours. */
export const pillowSeconds = 45

/**
 * ImageMagick's own limits, in addition to those of the step: pixels that do not fit into memory are stored on disk,
 * and an image with a false size fails here.
 */
export const magickResources: Readonly<Record<string, string>> = {
  memory: '512MiB',
  map: '2GiB',
  disk: '4GiB',
  area: '256MP',
  // A false size fails before pixels are allocated. No unit: a `P` after the number would multiply it by a quadrillion.
  width: String(longestSides.any),
  height: String(longestSides.any),
  'list-length': String(pictureLimits.frames),
  time: '110',
  thread: '2',
  'temporary-path': '/job',
}
