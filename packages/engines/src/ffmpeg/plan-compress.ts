import { type Failure, failure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { audioCodec } from '../media/audio-codecs.ts'
import { type Container, findContainer } from '../media/containers.ts'
import { type VideoCodecName, videoCodec } from '../media/video-codecs.ts'
import type { Conversion } from './convert-args.ts'
import { type MediaJob, made, type Span } from './job.ts'
import { lostTracks } from './lost-tracks.ts'
import { type MediaSettings, toMediaSettings } from './media-settings.ts'
import { encodeSteps } from './plan-convert.ts'
import { planAudioTarget, planVideoTarget } from './plan-sizes.ts'
import { chooseAudioCodec, chooseVideoCodec, keptCovers, type StreamPlan } from './streams.ts'

/** Plans a smaller file in the same format: with a target size, or with a quality that still looks and sounds good. */
export function planCompress(asked: MediaJob): Plan | Failure {
  const container = findContainer(asked.to)
  if (container === undefined) return failure('unsupported')
  const settings = toMediaSettings(asked.options)
  const streams = smallStreams(asked, container, settings)
  const lost = lostTracks(asked.media, { container, streams, settings })
  const job = { ...asked, warnings: [...asked.warnings, ...lost] }
  if (streams.video === undefined && streams.audio.length === 0) {
    return failure('unsupported', { text: 'Nothing would be left of the file.' })
  }
  const target = targetOf(job)
  const conversion = { container, streams, settings }
  if (target === undefined) return planQuality(job, conversion)
  if (target >= job.source.size) return alreadySmall(asked)
  return streams.video === undefined
    ? planAudioTarget(job, conversion, target)
    : planVideoTarget(job, conversion, target)
}

/**
 * Encodes all streams. Video keeps its codec unless that codec has no quality setting or is MJPEG. Audio keeps its
 * codec.
 */
function smallStreams(job: MediaJob, container: Container, settings: MediaSettings): StreamPlan {
  const { media } = job
  const { video } = media
  const holdsPictures = container.video.length > 0
  const codec = video && holdsPictures ? smallCodec(video.codec, container, settings) : undefined
  const tracks = settings.isSilent ? [] : media.audio
  const audio = (container.hasManyTracks ? tracks : tracks.slice(0, 1)).map((stream) => {
    const chosen = chooseAudioCodec(stream.codec, { container, settings, keepsCodec: true })
    return { stream, ...(chosen !== undefined && { codec: chosen }) }
  })
  const covers = codec === undefined && targetOf(job) === undefined ? keptCovers({ media, container, settings }) : []
  return { ...(video && codec && { video: { stream: video, codec } }), audio, subtitles: [], covers }
}

function smallCodec(codec: string, container: Container, settings: MediaSettings): VideoCodecName | undefined {
  const kept = chooseVideoCodec(codec, { container, settings, keepsCodec: true })
  const isSmall = kept !== undefined && videoCodec(kept).quality.kind !== 'none' && kept !== 'mjpeg'
  return isSmall || settings.videoCodec !== undefined ? kept : container.video[0]
}

/** The size in bytes that the result may have, if one was asked for. */
export function targetOf({ source, options }: Pick<MediaJob, 'source' | 'options'>): number | undefined {
  const percent = options.percent
  const sizes = [options.target_size, percent === undefined ? undefined : (source.size * percent) / 100]
  const given = sizes.flatMap((size) => size ?? [])
  return given.length === 0 ? undefined : Math.floor(Math.min(...given))
}

function alreadySmall({ source, to, warnings }: MediaJob): Plan {
  const outputs = [{ file: source.file, format: to, source: 0 }]
  const word = 'The file is no larger than the size asked for, so this is the original.'
  return { kind: 'plan', steps: [], outputs, warnings: [...warnings, word] }
}

/** The quality of compressed video: a CRF above the default, or a fixed quality. The loss is half a noticeable step. */
const worse = { crf: 5, quality: 60 } as const

function planQuality(job: MediaJob, conversion: Conversion): Plan {
  const output = made(job, 'out', `.${job.to}`)
  const span: Span = { start: 0, args: [], ...(job.media.seconds !== undefined && { seconds: job.media.seconds }) }
  const settings = smallSettings(conversion)
  return {
    kind: 'plan',
    steps: encodeSteps(job, { conversion: { ...conversion, settings }, span, output }),
    outputs: [{ file: output, format: job.to, source: 0, unlessSmallerThan: job.source.file }],
    warnings: job.warnings,
  }
}

function smallSettings({ streams, settings }: Conversion): MediaSettings {
  const { codec } = streams.video ?? {}
  const scale = codec && videoCodec(codec).quality
  return {
    ...(scale?.kind === 'crf' && { crf: scale.byDefault + worse.crf }),
    ...(scale?.kind === 'scale' && { quality: worse.quality }),
    ...soundRate(streams, streams.video === undefined ? 0.6 : 1),
    ...settings,
  }
}

/** At most the default rate of the codec, and only a share of the track's own rate. */
function soundRate({ audio: [track] }: StreamPlan, share: number): Pick<MediaSettings, 'audioKbps'> {
  const usual = track?.codec === undefined ? undefined : audioCodec(track.codec).kbps
  if (track === undefined || usual === undefined) return {}
  const had = (track.stream.bitRate ?? usual.byDefault * 1000) / 1000
  return { audioKbps: Math.max(usual.min, Math.round(Math.min(usual.byDefault, had * share))) }
}
