import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { sourceInput, startArgs } from './input.ts'
import type { MediaJob, Span } from './job.ts'
import { encodeLimits } from './limits.ts'

export interface Run {
  readonly span: Span
  /** Inputs beside the source, with their rules. */
  readonly moreInputs?: readonly string[]
  /** Everything between the input and the output: streams, codecs, filters. */
  readonly args: readonly string[]
  readonly muxer: string
  /** The file to write; none for a first pass. */
  readonly output?: string
  /** Files it must leave behind; the output if not given. */
  readonly leaves?: readonly string[]
  readonly weight?: number
}

const progressArgs = ['-progress', 'pipe:1', '-nostats', '-stats_period', '0.5']

/** One run of FFmpeg over the source of a job. */
export function runStep({ source, media }: MediaJob, run: Run): ProcessStep {
  const { span, moreInputs = [], args, muxer, output, weight } = run
  const target = output === undefined ? ['-f', 'null', '-'] : ['-f', muxer, `file:${output}`]
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffmpeg',
    args: [...startArgs, ...span.args, ...sourceInput(source), ...moreInputs, ...args, ...progressArgs, ...target],
    outputs: run.leaves ?? (output === undefined ? [] : [output]),
    limits: encodeLimits(source.size, span.seconds ?? media.seconds),
    ...(weight !== undefined && { weight }),
    readProgress: (line) => shareDone(line, span.seconds),
    readExit,
  }
}

/** The share of so many seconds that a line of `-progress` tells. */
export function shareDone(line: string, seconds: number | undefined): number | undefined {
  const reached = /^out_time_us=(\d+)$/.exec(line)?.[1]
  if (reached === undefined || seconds === undefined || seconds <= 0) return undefined
  return Math.min(Number(reached) / 1e6 / seconds, 1)
}

// Broken input shows itself in many ways; what matches none of them is the converter's own fault.
const damage =
  /Invalid data found|could not find codec parameters|Error while decoding|corrupt|does not contain any stream/i
const noDecoder = /no decoder found|Decoder \S+ not found|Decoding requested/i

function readExit({ stderr }: StepExit): Failure | undefined {
  const detail = stderr
  if (noDecoder.test(stderr)) {
    return failure('unsupported', { text: 'The file holds a kind of stream that no decoder here can read.', detail })
  }
  return damage.test(stderr) ? failure('input_damaged', { detail }) : undefined
}
