import type { StepLimits } from '../engine.ts'
import { pictureLimits } from '../pictures/limits.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits for optimizing one image. */
export const optimizeStepLimits: StepLimits = { timeMs: 180_000, memoryBytes: 2 * GiB, outputBytes: 256 * MiB }

/** Limits of the runner, in addition to those of every image. */
export const optimizeLimits = {
  ...pictureLimits,
  /** Pixels of the result: it is held in memory together with every encoding that it is compared with. */
  optimizedPixels: 32_000_000,
  /** Pixels of all frames of an animation, which is encoded several times. */
  optimizedFramesPixels: 40_000_000,
  /** Larger images are not tried as AVIF, which would take longer than all other formats together. */
  avifPixels: 16_000_000,
  /** After this time no other format is tried if one is already good enough. */
  searchMs: 30_000,
} as const
