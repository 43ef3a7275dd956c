import { type Failure, failure } from '@lathe/domain'
import type { SourceFile } from '../engine.ts'
import type { MediaOptions } from './abilities.ts'
import type { Media } from './media.ts'
import { secondsArgument } from './times.ts'

/** One file to work on, looked at, with what its owner asked for. */
export interface MediaJob {
  readonly source: SourceFile
  readonly to: string
  readonly media: Media
  /** Checked options that have an effect. */
  readonly options: MediaOptions
  readonly warnings: readonly string[]
  /** An image to place on it. */
  readonly overlay?: SourceFile | undefined
}

/** A name of ours for a file made from a source: `in-3.mp4` gives `out-3.webm`, whatever else is in the folder. */
export function made({ source }: Pick<MediaJob, 'source'>, prefix: string, ending: string): string {
  const number = /^[a-z]+-(\d+)/.exec(source.file)?.[1] ?? '0'
  return `${prefix}-${number}${ending}`
}

/** The part of a source that is read. */
export interface Span {
  readonly start: number
  /** How long it is, where that is known. */
  readonly seconds?: number
  readonly args: readonly string[]
}

/** Turns start and end into the part to read, or says why there is none. */
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
    ...(Number.isFinite(last) && { seconds: last - start }),
    args: [
      ...(start > 0 ? ['-ss', secondsArgument(start)] : []),
      ...(Number.isFinite(end) ? ['-t', secondsArgument(end - start)] : []),
    ],
  }
}
