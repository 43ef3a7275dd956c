import type { StepLimits } from '../engine.ts'

/** Limits of one run of the runner. */
export const vipsStepLimits: StepLimits = {
  timeMs: 120_000,
  memoryBytes: 1024 ** 3,
  outputBytes: 2 * 1024 ** 3,
}

/** Limits of what the runner accepts, checked from headers before anything is decoded. */
export const pictureLimits = {
  /** 16,383 squared: libvips' own limit for one image. */
  pixels: 268_402_689,
  frames: 2000,
  /** Frames times area of an animation. */
  animationPixels: 1_000_000_000,
  svgBytes: 32 * 1024 ** 2,
  /** How deep elements of a drawing may be nested. */
  svgDepth: 256,
  /** Pages of a TIFF that is split, which are not decoded. */
  splitPages: 10_000,
  pdfPages: 10_000,
  /** A PDF is built in memory, so all its parts must fit below the memory limit. */
  pdfInputBytes: 256 * 1024 ** 2,
} as const
