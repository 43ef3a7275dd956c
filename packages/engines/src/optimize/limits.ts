import type { StepLimits } from '../engine.ts'
import { pictureLimits } from '../pictures/limits.ts'
import { GiB, MiB } from '../tool.ts'

/** What optimizing one image may use. */
export const optimizeStepLimits: StepLimits = { timeMs: 180_000, memoryBytes: 2 * GiB, outputBytes: 256 * MiB }

/** What the runner accepts in addition to the limits of every image. */
export const optimizeLimits = {
  ...pictureLimits,
  /** Of the result: it is held in memory, next to every encoding that it is compared with. */
  optimizedPixels: 32_000_000,
  /** Of all frames of an animation, which is encoded several times. */
  optimizedFramesPixels: 40_000_000,
  /** Larger images are not tried as AVIF: it would take longer than all others together. */
  avifPixels: 16_000_000,
  /** After this long no other format is tried, once one is good enough. */
  searchMs: 30_000,
} as const
