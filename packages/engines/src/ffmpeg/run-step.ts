import type { ProcessStep } from '../engine.ts'
import { sourceInput, startArgs } from '../media/input.ts'
import { encodeLimits } from '../media/limits.ts'
import { damageReaders } from '../media/read-damage.ts'
import type { MediaJob, Span } from './job.ts'
import type { Media } from './media.ts'

export interface Run {
  readonly span: Span
  /** Additional inputs with their arguments. */
  readonly moreInputs?: readonly string[]
  /** The arguments between input and output: streams, codecs, filters. */
  readonly args: readonly string[]
  readonly muxer: string
  /** The file to write; none for a first pass. */
  readonly output?: string
  /** Files it must create; the output if not given. */
  readonly leaves?: readonly string[]
  readonly weight?: number
  /** Whether every stream must contain data, not only the file as a whole. */
  readonly isWhole?: boolean
}

const progressArgs = ['-progress', 'pipe:1', '-nostats', '-stats_period', '0.5']

/** One run of FFmpeg over the source of a job. */
export function runStep({ source, media, options }: MediaJob, run: Run): ProcessStep {
  const { span, moreInputs = [], args, muxer, output, weight, isWhole = false } = run
  const target = output === undefined ? ['-f', 'null', '-'] : ['-f', muxer, `file:${output}`]
  const { strict: isStrict = false } = options
  // The first pass of some encoders writes nothing by design.
  const abort = output === undefined ? [] : ['-abort_on', isWhole ? 'empty_output_stream' : 'empty_output']
  const start = [...startArgs({ isStrict }), ...abort]
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffmpeg',
    args: [
      ...start,
      ...span.args,
      ...decoderArgs(media),
      ...sourceInput(source),
      ...moreInputs,
      ...args,
      ...progressArgs,
      ...target,
    ],
    outputs: run.leaves ?? (output === undefined ? [] : [output]),
    limits: encodeLimits(source.size, span.seconds ?? media.seconds),
    ...(weight !== undefined && { weight }),
    readProgress: (line) => shareDone(line, span.seconds),
    ...damageReaders(isStrict),
  }
}

// FFmpeg's own decoder doubles the duration of wideband Speex.
function decoderArgs({ audio }: Media): readonly string[] {
  return audio.length > 0 && audio.every(({ codec }) => codec === 'speex') ? ['-c:a', 'libspeex'] : []
}

/** The finished share of `seconds`, if a line of `-progress` reports it. */
export function shareDone(line: string, seconds: number | undefined): number | undefined {
  const reached = /^out_time_us=(\d+)$/.exec(line)?.[1]
  if (reached === undefined || seconds === undefined || seconds <= 0) return undefined
  return Math.min(Number(reached) / 1e6 / seconds, 1)
}
