import type { StepLimits } from '../engine.ts'
import { GiB } from '../tool.ts'

/** What one run of DCMTK may use. */
export const dicomStepLimits: StepLimits = { timeMs: 120_000, memoryBytes: 2 * GiB, outputBytes: 2 * GiB }

/** What a file may be, checked from its header before a pixel is read. */
export const dicomLimits = {
  /** Images that one file becomes. */
  frames: 2000,
  /** Pixels of one frame: four times those of the largest mammograms. */
  pixels: 100_000_000,
  /** Pixels that one run holds in memory: more frames are converted by several runs. */
  runPixels: 64_000_000,
} as const
