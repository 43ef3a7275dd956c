import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** What a recording may be to be transcribed. */
export const speechLimits = {
  /** A long meeting or lecture. */
  seconds: 2 * 3600,
} as const

const minute = 60_000

/** What recognition may take: clear speech takes less time than it lasts, noise up to twice as much. */
export function recognizeLimits(seconds: number): StepLimits {
  return {
    timeMs: 5 * minute + Math.ceil(seconds * 1.5) * 1000,
    memoryBytes: 2 * GiB,
    outputBytes: 256 * MiB,
    silenceMs: 5 * minute,
  }
}
