import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits for a map. */
export const mapLimits = {
  bytes: 256 * MiB,
  /** Unpacked size of a zipped shapefile. */
  unpacked: GiB,
  /** Points, lines and areas of all layers. */
  features: 1_000_000,
  layers: 200,
} as const

/** Limits of one run. */
export const mapStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: 2 * GiB }
