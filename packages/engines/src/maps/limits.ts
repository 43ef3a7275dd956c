import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** What a map may hold. */
export const mapLimits = {
  bytes: 256 * MiB,
  /** The files of a zipped shapefile. */
  unpacked: GiB,
  /** Places, ways and areas of all layers. */
  features: 1_000_000,
  layers: 200,
} as const

/** What one run may use. */
export const mapStepLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: 2 * GiB }
