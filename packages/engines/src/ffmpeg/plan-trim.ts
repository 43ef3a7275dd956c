import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { findContainer } from './containers.ts'
import { remuxArgs } from './convert-args.ts'
import { type MediaJob, made, toSpan } from './job.ts'
import { gifSteps } from './plan-animation.ts'
import { encodeSteps } from './plan-convert.ts'
import { runStep } from './run-step.ts'
import { planStreams, type StreamPlan } from './streams.ts'
import { toWishes, type Wishes } from './wishes.ts'

/** Plans a cut in time: at the very moment, or at the key frame before it and without encoding. */
export function planTrim(job: MediaJob): Plan | Failure {
  const wishes = toWishes(job.options)
  if (wishes.start === undefined && wishes.end === undefined) {
    return failure('unsupported', { text: 'Give start, end or both.' })
  }
  const span = toSpan(job, wishes.start, wishes.end)
  if (isFailure(span)) return span
  const output = made(job, 'out', `.${job.to}`)
  const steps = stepsFor(job, { wishes, span, output })
  if (isFailure(steps)) return steps
  return { kind: 'plan', steps, outputs: [{ file: output, format: job.to, source: 0 }], warnings: job.warnings }
}

type Cut = {
  readonly wishes: Wishes
  readonly span: Exclude<ReturnType<typeof toSpan>, Failure>
  readonly output: string
}

function stepsFor(job: MediaJob, { wishes, span, output }: Cut): Plan['steps'] | Failure {
  const { media, source, to } = job
  if (to === 'gif') {
    if (media.video === undefined) return failure('input_damaged')
    return gifSteps(job, { video: media.video, span, filters: ['null'] }, output)
  }
  const container = findContainer(to)
  if (container === undefined) return failure('unsupported')
  const streams = planStreams({ media, from: source.format, to, container, wishes, keepsCodec: true })
  const conversion = { container, streams: streams, wishes: loudEnough(wishes, streams) }
  if (job.options.mode !== 'fast') return encodeSteps(job, { conversion, span, output })
  const args = remuxArgs({ ...conversion, streams: asTheyAre(streams) })
  return [runStep(job, { span, args, muxer: container.muxer, output })]
}

/** Sound that has to be encoded again keeps the bit rate it had. */
function loudEnough(wishes: Wishes, { audio }: StreamPlan): Wishes {
  const rate = audio[0]?.stream.bitRate
  return wishes.audioKbps !== undefined || rate === undefined
    ? wishes
    : { ...wishes, audioKbps: Math.ceil(rate / 1000) }
}

function asTheyAre({ video, audio, subtitles, covers = [] }: StreamPlan): StreamPlan {
  return {
    ...(video && { video: { stream: video.stream } }),
    audio: audio.map(({ stream }) => ({ stream })),
    subtitles,
    covers,
  }
}
