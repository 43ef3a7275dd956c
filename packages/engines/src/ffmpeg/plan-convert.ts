import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'
import { type Container, findContainer } from '../media/containers.ts'
import { videoCodec } from '../media/video-codecs.ts'
import { type Conversion, convertArgs, remuxArgs } from './convert-args.ts'
import { subtitleCutArgs } from './cut-subtitles.ts'
import { type MediaJob, made, type Span, toSpan } from './job.ts'
import { lostTracks } from './lost-tracks.ts'
import { isText, type Media } from './media.ts'
import { type MediaSettings, toMediaSettings } from './media-settings.ts'
import { planAttempts } from './plan-attempts.ts'
import { runStep } from './run-step.ts'
import { encodeAll, isCopying, isRemux, planStreams, type StreamPlan } from './streams.ts'

/** Plans a conversion to a container, with or without video. */
export function planConvert(job: MediaJob): Plan | Failure {
  const container = findContainer(job.to)
  if (container === undefined) return failure('unsupported')
  const settings = withRate(toMediaSettings(job.options), job.media)
  const span = toSpan(job, settings.start, settings.end)
  if (isFailure(span)) return span
  const { source, media, to } = job
  const streams = planStreams({ media, from: source.format, to, container, settings, size: source.size })
  const missing = whatIsMissing(container, streams)
  if (missing !== undefined) return missing
  const burnt = settings.subtitles === 'burn' && streams.video !== undefined ? burnStep(job, span) : undefined
  const conversion = { container, streams, settings, ...(burnt && { burnt: burnt.file }) }
  const output = made(job, 'out', `.${to}`)
  const first = { steps: [...(burnt ? [burnt.step] : []), ...encodeSteps(job, { conversion, span, output })] }
  const others = otherStreams(job, streams, container).map(({ streams: kept, warning }) => {
    const other = { conversion: { ...conversion, streams: kept }, span, output }
    return { steps: encodeSteps(job, other), ...(warning !== undefined && { warning }) }
  })
  const warnings = [...job.warnings, ...warningsFor(job, conversion)]
  return planAttempts(job, { output, warnings, variants: [first, ...others] })
}

interface OtherStreams {
  readonly streams: StreamPlan
  readonly warning?: string
}

/** What to try if FFmpeg fails: encode all streams, then leave out the audio or the video. */
function otherStreams(job: MediaJob, { covers = [], ...streams }: StreamPlan, container: Container): OtherStreams[] {
  const encoded = encodeAll(streams, container)
  const hasCopies = covers.length > 0 || isCopying(streams)
  const { video, ...withoutVideo } = encoded
  const hasBoth = video !== undefined && encoded.audio.length > 0 && !job.options.strict
  return [
    ...(hasCopies ? [{ streams: encoded }] : []),
    ...(hasBoth
      ? [
          { streams: { ...encoded, audio: [] }, warning: 'The audio cannot be read and was left out.' },
          { streams: withoutVideo, warning: 'The video cannot be read and was left out.' },
        ]
      : []),
  ]
}

// Two passes need a target rate; the default is the rate of the input.
function withRate(settings: MediaSettings, { video, bitRate }: Media): MediaSettings {
  const rate = video?.bitRate ?? bitRate
  const isOpen = settings.isTwoPass && settings.videoKbps === undefined && rate !== undefined
  return isOpen ? { ...settings, videoKbps: Math.ceil(rate / 1000) } : settings
}

export interface Encoding {
  readonly conversion: Conversion
  readonly span: Span
  readonly output: string
}

/** One step, or two for a bit rate in two passes. Streams are only encoded if necessary. */
export function encodeSteps(job: MediaJob, { conversion, span, output }: Encoding): readonly ProcessStep[] {
  const { container, streams, settings } = conversion
  const { muxer } = container
  // An audio file needs its audio: a cover alone is not a result.
  const shared = { span, muxer, output, isWhole: container.video.length === 0 }
  const cut = streams.subtitles.length === 0 ? [] : subtitleCutArgs(span)
  if (isRemux(streams)) return [runStep(job, { ...shared, args: [...remuxArgs(conversion), ...cut] })]
  const isTwice = settings.isTwoPass && settings.videoKbps !== undefined && canPassTwice(conversion)
  if (!isTwice) return [runStep(job, { ...shared, args: [...convertArgs(conversion), ...cut] })]
  const log = made(job, 'pass', '')
  const first = convertArgs(conversion, { number: 1, log })
  const second = [...convertArgs(conversion, { number: 2, log }), ...cut]
  return [runStep(job, { span, args: first, muxer, weight: 1 }), runStep(job, { ...shared, args: second, weight: 2 })]
}

export function canPassTwice({ streams: { video } }: Conversion): boolean {
  return video?.codec !== undefined && videoCodec(video.codec).twoPass !== 'none'
}

function whatIsMissing({ video }: Container, streams: Conversion['streams']): Failure | undefined {
  if (streams.video !== undefined || streams.audio.length > 0) return undefined
  const text = video.length > 0 ? 'Nothing would be left of the file.' : 'The file has no audio.'
  return failure('unsupported', { text })
}

/** Writes the first text subtitles to a new file, because the filter that draws them only reads such files. */
function burnStep(job: MediaJob, span: Span): { file: string; step: ProcessStep } | undefined {
  const text = job.media.subtitles.find(isText)
  if (text === undefined) return undefined
  const file = made(job, 'subtitles', '.ass')
  const args = ['-map', `0:${text.index}`, '-c:s', 'ass', ...subtitleCutArgs(span)]
  return { file, step: runStep(job, { span, args, muxer: 'ass', output: file, weight: 0 }) }
}

function warningsFor({ media }: MediaJob, { container, streams, settings, burnt }: Conversion): readonly string[] {
  const warnings: string[] = []
  const { codec } = streams.video ?? {}
  if (settings.subtitles === 'burn' && burnt === undefined) warnings.push('There are no text subtitles to draw.')
  if (settings.isTwoPass && (settings.videoKbps === undefined || !codec || videoCodec(codec).twoPass === 'none')) {
    warnings.push('The option two_pass had no effect: it needs a bit rate and a codec that can.')
  }
  if (codec !== undefined) warnings.push(...unheard(codec, settings))
  if (media.unknown > 0) warnings.push('The file contains a stream that cannot be decoded. It was left out.')
  if (media.audio.length > streams.audio.length && !settings.isSilent && streams.audio.length > 0) {
    warnings.push('The format supports one audio track: the first was kept.')
  }
  return [...warnings, ...lostTracks(media, { container, streams, settings })]
}

// Without a chosen codec, the descriptors cannot know that the default codec lacks an option.
function unheard(
  codec: NonNullable<MediaSettings['videoCodec']>,
  { crf, quality, preset }: MediaSettings,
): readonly string[] {
  const { quality: scale, presets } = videoCodec(codec)
  const vain = [
    ...(crf !== undefined && scale.kind !== 'crf' ? ['crf'] : []),
    ...(quality !== undefined && scale.kind !== 'scale' ? ['quality'] : []),
    ...(preset !== undefined && presets === undefined ? ['preset'] : []),
  ]
  const isLower = crf !== undefined && scale.kind === 'crf' && crf > scale.max
  return [
    ...vain.map((name) => `The option ${name} had no effect: ${codec} does not have it.`),
    ...(isLower ? [`The option crf was lowered to ${scale.max}, the most that ${codec} has.`] : []),
  ]
}
