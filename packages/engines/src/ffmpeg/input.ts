import type { SourceFile } from '../engine.ts'
import { readable } from './containers.ts'
import { mediaLimits } from './limits.ts'

/** The longest gap between two packets that counts as one: a header may claim days, to be filled with frames. */
const longestGapS = 3600

/**
 * How a file of ours is opened. The demuxer is named, never found by looking: a playlist under the name of a film
 * names other files, and FFmpeg would follow it. The lists say the same again for whatever a demuxer opens in turn.
 */
export function inputRules(demuxer: string, maxPixels: number = mediaLimits.side ** 2): readonly string[] {
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer],
    ...['-max_streams', String(mediaLimits.streams), '-max_pixels', String(maxPixels)],
  ]
}

/** The input arguments of a source. */
export function sourceInput({ file, format }: SourceFile, maxPixels?: number): readonly string[] {
  return [...inputRules(demuxerOf(format), maxPixels), '-i', `file:${file}`]
}

/** The demuxer of a format; only formats of the table get here. */
export function demuxerOf(format: string): string {
  const demuxer = readable[format]?.demuxer
  if (demuxer === undefined) throw new Error('a format without a demuxer was planned')
  return demuxer
}

/** What every run of FFmpeg starts with: quiet, asking nothing, writing over the leftovers of an earlier round. */
export const startArgs: readonly string[] = [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
  ...['-dts_error_threshold', String(longestGapS)],
]
