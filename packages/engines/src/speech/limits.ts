import type { StepLimits } from '../engine.ts'
import { GiB, MiB } from '../tool.ts'

/** Limits of a recording to transcribe. */
export const speechLimits = {
  /** Enough for a long meeting or lecture. */
  seconds: 2 * 3600,
} as const

const minute = 60_000

/** Limits of recognition: clear speech takes less time than its duration, noise up to twice as much. */
export function recognizeLimits(seconds: number): StepLimits {
  return {
    timeMs: 5 * minute + Math.ceil(seconds * 1.5) * 1000,
    memoryBytes: 2 * GiB,
    outputBytes: 256 * MiB,
    silenceMs: 5 * minute,
  }
}
