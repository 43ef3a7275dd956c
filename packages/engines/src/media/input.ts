import type { SourceFile } from '../engine.ts'
import { readable } from './containers.ts'
import { mediaLimits } from './limits.ts'

/** The longest gap between two packets that counts as one: a header may claim days, to be filled with frames. */
const longestGapS = 3600

/**
 * How a file of ours is opened. The demuxer is named, never found by looking: a playlist under the name of a video
 * names other files, and FFmpeg would follow it. Of a format that comes in several forms the demuxers are listed, and
 * what FFmpeg finds must be among them. The lists say the same again for whatever a demuxer opens in turn.
 */
export function inputRules(demuxers: readonly string[], maxPixels: number = mediaLimits.side ** 2): readonly string[] {
  const [only, ...others] = demuxers
  return [
    ...['-protocol_whitelist', 'file', '-format_whitelist', demuxers.join(',')],
    ...(only !== undefined && others.length === 0 ? ['-f', only] : []),
    ...['-max_streams', String(mediaLimits.streams), '-max_pixels', String(maxPixels)],
  ]
}

/** The input arguments of a source. */
export function sourceInput({ file, format }: SourceFile, maxPixels?: number): readonly string[] {
  return [...inputRules(demuxersOf(format), maxPixels), '-i', `file:${file}`]
}

/** The demuxers of a format; only formats of the table get here. */
export function demuxersOf(format: string): readonly string[] {
  const demuxers = readable[format]?.demuxers
  if (demuxers === undefined) throw new Error('a format without a demuxer was planned')
  return demuxers
}

/**
 * What every run of FFmpeg starts with: quiet, asking nothing, writing over the leftovers of an earlier round. Unless
 * damage is to be refused, packets are decoded however many others cannot be: FFmpeg would give up at two in three.
 */
export function startArgs({ isStrict }: { readonly isStrict: boolean }): readonly string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
    ...['-dts_error_threshold', String(longestGapS), '-max_error_rate', isStrict ? '0' : '1'],
  ]
}
