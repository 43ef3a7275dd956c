import type { SourceFile } from '../engine.ts'
import { readable } from './containers.ts'
import { mediaLimits } from './limits.ts'

/** The longest accepted gap between two packets. A header may claim days, which would be filled with frames. */
const longestGapS = 3600

/**
 * The arguments that open a file safely. The demuxer is given and never detected: a playlist named like a video refers
 * to other files, and FFmpeg would open them. For a format with several forms, only the listed demuxers may be
 * detected. The whitelists also apply to everything that a demuxer opens.
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

/** The demuxers of a format, which must be in the table. */
export function demuxersOf(format: string): readonly string[] {
  const demuxers = readable[format]?.demuxers
  if (demuxers === undefined) throw new Error('a format without a demuxer was planned')
  return demuxers
}

/**
 * The first arguments of every FFmpeg run: quiet, without questions, overwriting files of an earlier round. Unless
 * damage must be refused, decoding continues however many packets fail: by default, FFmpeg fails at two in three.
 */
export function startArgs({ isStrict }: { readonly isStrict: boolean }): readonly string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
    ...['-dts_error_threshold', String(longestGapS), '-max_error_rate', isStrict ? '0' : '1'],
  ]
}
