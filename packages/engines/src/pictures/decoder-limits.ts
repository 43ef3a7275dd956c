import type { StepLimits } from '../engine.ts'
import { pictureLimits } from './limits.ts'

const GiB = 1024 ** 3

/** What one run of ImageMagick, the JPEG XL tools or LibRaw may use. */
export const magickStepLimits: StepLimits = { timeMs: 120_000, memoryBytes: GiB, outputBytes: 4 * GiB }

/** Looking at a header takes milliseconds, whatever the picture. */
export const probeStepLimits: StepLimits = { timeMs: 20_000, memoryBytes: GiB / 2, outputBytes: GiB / 16 }

/** The longest side of an image that ImageMagick reads. */
export const longestSides = {
  any: 1_000_000,
  /** Icons of 1,024 pixels are rare, and a bitmap inside is decoded whole to tell its size. */
  icon: 8192,
  /** Pixels are made ready to tell the size. */
  fits: 16_384,
} as const

/** How long Pillow may take for one image: some plugins search a damaged file for hours. */
export const pillowSeconds = 45

/**
 * ImageMagick's own limits, behind those of the step: pixels that do not fit into memory wait on disk, and a picture
 * that lies about its size ends here.
 */
export const magickResources: Readonly<Record<string, string>> = {
  memory: '512MiB',
  map: '2GiB',
  disk: '4GiB',
  area: '256MP',
  // A lie ends before a pixel is asked for. Without a unit: a `P` behind the number makes it a quadrillion times that.
  width: String(longestSides.any),
  height: String(longestSides.any),
  'list-length': String(pictureLimits.frames),
  time: '110',
  thread: '2',
  'temporary-path': '/job',
}
