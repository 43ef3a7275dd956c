import { type Failure, isFailure } from '@lathe/domain'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import type { Findings, Plan, ProcessStep } from '../engine.ts'
import { ffmpeg } from '../ffmpeg/ffmpeg.ts'

/** The ffprobe output of an ordinary video: 10 s of 640 x 480, H.264 with AAC. */
export const video = {
  format: { duration: '10.0', bit_rate: '1000000', nb_streams: 2 },
  streams: [
    {
      index: 0,
      codec_type: 'video',
      codec_name: 'h264',
      pix_fmt: 'yuv420p',
      width: 640,
      height: 480,
      avg_frame_rate: '25/1',
    },
    { index: 1, codec_type: 'audio', codec_name: 'aac', sample_rate: '44100', channels: 2, bit_rate: '128000' },
  ],
}

/** The same with some fields of its video stream changed. */
export function videoWith(changes: Readonly<Record<string, unknown>>, format: Readonly<Record<string, unknown>> = {}) {
  const [pictures, ...others] = video.streams
  return { ...video, format: { ...video.format, ...format }, streams: [{ ...pictures, ...changes }, ...others] }
}

export interface Asked {
  readonly operation?: ProcessingOperation
  readonly from?: string
  readonly to: string
  readonly options?: GivenOptions
  readonly answer?: unknown
  readonly size?: number
}

/** The plan that follows the probe with this answer. */
export function planAfterProbe({
  operation = 'convert',
  from = 'mkv',
  to,
  options = {},
  answer = video,
  size = 1e6,
}: Asked) {
  const source = { file: `in-0.${from}`, format: from, size, filename: 'a video' }
  const first = ffmpeg.plan({ operation, sources: [source], to, options })
  if (isFailure(first)) return first
  return first.next?.(found([JSON.stringify(answer)])) ?? first
}

export function found(stdout: readonly string[], sizes: Readonly<Record<string, number>> = {}): Findings {
  return { stdout, results: stdout.map(() => ({})), sizes }
}

/** Throws unless there is a plan. */
export function sure(plan: Plan | Failure | undefined): Plan {
  if (plan === undefined || isFailure(plan)) throw new Error(plan?.text ?? plan?.code ?? 'no plan')
  return plan
}

/** The arguments of a step between its input and its progress: what differs from one conversion to another. */
export function middleOf(plan: Plan | Failure, step = 0): string {
  const { args } = sure(plan).steps[step] as ProcessStep
  return args.slice(args.indexOf('-i') + 2, args.indexOf('-progress')).join(' ')
}
