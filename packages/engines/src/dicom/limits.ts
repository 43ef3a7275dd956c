import type { StepLimits } from '../engine.ts'
import { GiB } from '../tool.ts'

/** Limits of one run of DCMTK. */
export const dicomStepLimits: StepLimits = { timeMs: 120_000, memoryBytes: 2 * GiB, outputBytes: 2 * GiB }

/** Limits for a file, checked in its header before any pixel is read. */
export const dicomLimits = {
  /** Images created from one file. */
  frames: 2000,
  /** Pixels of one frame: four times those of the largest mammograms. */
  pixels: 100_000_000,
  /** Pixels that one run holds in memory. More frames are split into several runs. */
  runPixels: 64_000_000,
} as const
