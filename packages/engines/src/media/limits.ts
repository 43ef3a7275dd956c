import type { StepLimits } from '../engine.ts'

/** What a recording may be, checked from its headers before anything is encoded. */
export const mediaLimits = {
  /** The longest side, and so 8192 x 8192 pixels a frame. */
  side: 8192,
  framesPerSecond: 240,
  streams: 32,
  /** Audiobooks of 50 hours are common, of 100 not unheard of. */
  seconds: 200 * 3600,
  /** Far more than a video has; each costs memory and a place in the output's header. */
  chapters: 1000,
  /** Pictures of one animation, and their pixels together. */
  animationFrames: 2000,
  animationPixels: 1_000_000_000,
  /** Files that one recording may become as single pictures. */
  pictures: 2000,
  /** Files that one recording may be split into, each by a run of FFmpeg. */
  parts: 500,
} as const

const GiB = 1024 ** 3
const minute = 60_000

/** The most a step may take: below the 4 hours that files live. */
const longest = 3.5 * 60 * minute

/** What looking at a file may take. It reads headers and a few seconds of packets. */
export const probeLimits: StepLimits = { timeMs: minute, memoryBytes: 2 * GiB, outputBytes: 1024 ** 2 }

/** What playing a score may take: 1 GiB of samples is an hour and 40 minutes, a good minute of work. */
export const synthesizeLimits: StepLimits = {
  timeMs: 10 * minute,
  memoryBytes: GiB,
  outputBytes: GiB,
  silenceMs: minute,
}

/**
 * What encoding may take: a minute of work for a second of recording, which the slowest codec at 8192 x 8192 needs,
 * and never more than 20 times the input, with 1 GiB for inputs that are small because they are well compressed.
 */
export function encodeLimits(inputBytes: number, seconds: number | undefined): StepLimits {
  return {
    timeMs: Math.min(longest, 10 * minute + Math.ceil(seconds ?? mediaLimits.seconds) * minute),
    memoryBytes: 4 * GiB,
    outputBytes: Math.min(20 * GiB, Math.max(GiB, 20 * inputBytes)),
    silenceMs: 5 * minute,
  }
}
