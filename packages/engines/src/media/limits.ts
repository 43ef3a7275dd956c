import type { StepLimits } from '../engine.ts'

/** Limits for a recording, checked in its headers before anything is encoded. */
export const mediaLimits = {
  /** The longest side, so at most 8192 x 8192 pixels per frame. */
  side: 8192,
  framesPerSecond: 240,
  streams: 32,
  /** Audiobooks of 50 hours are common, and some have 100. */
  seconds: 200 * 3600,
  /** Far more than any video has. Each chapter takes memory and space in the header of the output. */
  chapters: 1000,
  /** Frames of one animation, and their total pixels. */
  animationFrames: 2000,
  animationPixels: 1_000_000_000,
  /** Images that can be extracted from one video. */
  pictures: 2000,
  /** Files that one recording can be split into. Each needs a run of FFmpeg. */
  parts: 500,
} as const

const GiB = 1024 ** 3
const minute = 60_000

/** The maximum time of a step: less than the 4 hours that files are kept. */
const longest = 3.5 * 60 * minute

/** Limits of a probe. It reads headers and a few seconds of packets. */
export const probeLimits: StepLimits = { timeMs: minute, memoryBytes: 2 * GiB, outputBytes: 1024 ** 2 }

/** Limits for rendering a score: 1 GiB of samples is an hour and 40 minutes, and takes a little over a minute. */
export const synthesizeLimits: StepLimits = {
  timeMs: 10 * minute,
  memoryBytes: GiB,
  outputBytes: GiB,
  silenceMs: minute,
}

/**
 * Limits for encoding: a minute per second of recording, which the slowest codec needs at 8192 x 8192, and output of at
 * most 20 times the input. At least 1 GiB is allowed, because well compressed inputs are small.
 */
export function encodeLimits(inputBytes: number, seconds: number | undefined): StepLimits {
  return {
    timeMs: Math.min(longest, 10 * minute + Math.ceil(seconds ?? mediaLimits.seconds) * minute),
    memoryBytes: 4 * GiB,
    outputBytes: Math.min(20 * GiB, Math.max(GiB, 20 * inputBytes)),
    silenceMs: 5 * minute,
  }
}
