import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { type Container, findContainer } from '../media/containers.ts'
import { remuxArgs } from './convert-args.ts'
import { subtitleCutArgs } from './cut-subtitles.ts'
import { type MediaJob, made, toSpan } from './job.ts'
import { warnOfLostTracks } from './lost-tracks.ts'
import { type MediaSettings, toMediaSettings } from './media-settings.ts'
import { gifSteps } from './plan-animation.ts'
import { encodeSteps } from './plan-convert.ts'
import { runStep } from './run-step.ts'
import { planStreams, type StreamPlan } from './streams.ts'

/** Plans a trim: exact, or at the previous key frame without encoding. */
export function planTrim(job: MediaJob): Plan | Failure {
  const settings = toMediaSettings(job.options)
  if (settings.start === undefined && settings.end === undefined) {
    return failure('unsupported', { text: 'Set start, end or both.' })
  }
  const output = made(job, 'out', `.${job.to}`)
  const steps = cutSteps(job, settings, output)
  if (isFailure(steps)) return steps
  return {
    kind: 'plan',
    steps,
    outputs: [{ file: output, format: job.to, source: 0 }],
    warnings: warnOfLostTracks(job).warnings,
  }
}

/** The steps that write the part between the start and the end of the settings. */
export function cutSteps(job: MediaJob, settings: MediaSettings, output: string): Plan['steps'] | Failure {
  const { media, source, to } = job
  const span = toSpan(job, settings.start, settings.end)
  if (isFailure(span)) return span
  if (to === 'gif') {
    if (media.video === undefined) return failure('input_damaged')
    return gifSteps(job, { video: media.video, span, filters: ['null'] }, output)
  }
  const container = findContainer(to)
  if (container === undefined) return failure('unsupported')
  const streams = planStreams({ media, from: source.format, to, container, settings, keepsCodec: true })
  const conversion = { container, streams: streams, settings: loudEnough(settings, streams) }
  if (job.options.mode !== 'fast') return encodeSteps(job, { conversion, span, output })
  const cut = streams.subtitles.length === 0 ? [] : subtitleCutArgs(span)
  const args = [...remuxArgs({ ...conversion, streams: asTheyAre(streams) }), ...cut]
  return [runStep(job, { span, args, muxer: muxerFor(container, streams), output })]
}

// M4A is MP4 with another extension, and its own muxer supports fewer codecs.
function muxerFor({ muxer, takes }: Container, { audio }: StreamPlan): string {
  return muxer === 'ipod' && !audio.every(({ stream }) => takes.includes(stream.codec)) ? 'mp4' : muxer
}

/** Audio that must be encoded again keeps its bit rate. */
function loudEnough(settings: MediaSettings, { audio }: StreamPlan): MediaSettings {
  const rate = audio[0]?.stream.bitRate
  return settings.audioKbps !== undefined || rate === undefined
    ? settings
    : { ...settings, audioKbps: Math.ceil(rate / 1000) }
}

function asTheyAre({ video, audio, subtitles, covers = [] }: StreamPlan): StreamPlan {
  return {
    ...(video && { video: { stream: video.stream } }),
    audio: audio.map(({ stream }) => ({ stream })),
    subtitles,
    covers,
  }
}
