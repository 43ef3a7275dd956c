import { type Failure, failure } from '@lathe/domain'
import type { SourceFile } from '../engine.ts'
import type { MediaOptions } from './abilities.ts'
import type { Media } from './media.ts'
import { secondsArgument } from './times.ts'

/** One probed file with the owner's options. */
export interface MediaJob {
  readonly source: SourceFile
  readonly to: string
  readonly media: Media
  /** Checked options that have an effect. */
  readonly options: MediaOptions
  readonly warnings: readonly string[]
  /** An image to place on the video. */
  readonly overlay?: SourceFile | undefined
}

/** Lathe's name for a file made from a source: `in-3.mp4` becomes `out-3.webm`, so that names never collide. */
export function made({ source }: Pick<MediaJob, 'source'>, prefix: string, ending: string): string {
  const number = /^[a-z]+-(\d+)/.exec(source.file)?.[1] ?? '0'
  return `${prefix}-${number}${ending}`
}

/** The part of a source that is read. */
export interface Span {
  readonly start: number
  /** Where it was asked to end. */
  readonly end?: number
  /** Its duration, if known. */
  readonly seconds?: number
  readonly args: readonly string[]
}

/** Converts start and end to the part to read, or explains why there is none. */
export function toSpan({ media }: MediaJob, start = 0, end = Number.POSITIVE_INFINITY): Span | Failure {
  if (end <= start) return failure('unsupported', { text: 'The option end must be later than start.' })
  const total = media.seconds
  if (total !== undefined && start >= total) {
    const text = `The option start is beyond the end: the file is ${secondsArgument(total)} s long.`
    return failure('unsupported', { text })
  }
  const last = Math.min(end, total ?? end)
  return {
    start,
    ...(Number.isFinite(end) && { end }),
    ...(Number.isFinite(last) && { seconds: last - start }),
    args: [
      ...(start > 0 ? ['-ss', secondsArgument(start)] : []),
      ...(Number.isFinite(end) ? ['-t', secondsArgument(end - start)] : []),
    ],
  }
}
