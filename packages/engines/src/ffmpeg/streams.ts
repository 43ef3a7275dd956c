import { type AudioCodecName, audioCodec } from '../media/audio-codecs.ts'
import { type Container, readable } from '../media/containers.ts'
import { type VideoCodecName, videoCodec } from '../media/video-codecs.ts'
import type { AudioStream, CoverStream, Media, SubtitleStream, VideoStream } from './media.ts'
import { isText } from './media.ts'
import { changesAudio, changesVideo, type MediaSettings } from './media-settings.ts'

/** What happens to the streams of a file. Streams without a codec are copied. */
export interface StreamPlan {
  readonly video?: { readonly stream: VideoStream; readonly codec?: VideoCodecName }
  readonly audio: readonly { readonly stream: AudioStream; readonly codec?: AudioCodecName }[]
  readonly subtitles: readonly SubtitleStream[]
  /** Attached images, which are always copied. */
  readonly covers?: readonly CoverStream[]
}

export interface StreamQuestion {
  readonly media: Media
  readonly from: string
  readonly to: string
  readonly container: Container
  readonly settings: MediaSettings
  /** Bytes of the input. */
  readonly size?: number
  /** Whether the format is kept. Streams then keep their codec even if they must be encoded. */
  readonly keepsCodec?: boolean
}

/** Decides for each stream: it is copied if it fits and need not change, otherwise encoded. */
export function planStreams(question: StreamQuestion): StreamPlan {
  const { media, container, settings } = question
  const { video } = media
  const tracks = settings.isSilent ? [] : media.audio
  const audio = container.hasManyTracks ? tracks : tracks.slice(0, 1)
  const holdsPictures = container.video.length > 0
  const moving = video && holdsPictures ? { stream: video, ...videoChoice(video, question) } : undefined
  return {
    ...(moving && { video: moving }),
    audio: audio.map((stream) => ({ stream, ...audioChoice(stream, question) })),
    subtitles: holdsPictures ? keptSubtitles(question) : [],
    // Filters and codecs apply to all video streams of a file, so a cover cannot be copied next to a video that is
    // encoded.
    covers: moving?.codec === undefined ? keptCovers(question) : [],
  }
}

/** The attached images that a container supports. */
export function keptCovers({ media, container, settings }: Pick<StreamQuestion, 'media' | 'container' | 'settings'>) {
  if (container.hasCovers !== true || settings.isStripped) return []
  return media.covers.filter(({ codec }) => codec === 'mjpeg' || codec === 'png')
}

/** Whether nothing has to be encoded. */
export function isRemux({ video, audio }: StreamPlan): boolean {
  return video?.codec === undefined && audio.every(({ codec }) => codec === undefined)
}

/** Whether any video or audio stream is copied. */
export function isCopying({ video, audio }: StreamPlan): boolean {
  return (video !== undefined && video.codec === undefined) || audio.some(({ codec }) => codec === undefined)
}

/** The same without copies: copied streams get the default codec of the container. */
export function encodeAll({ video, audio, subtitles }: StreamPlan, container: Container): StreamPlan {
  const [videoCodec, audioCodec] = [video?.codec ?? container.video[0], container.audio[0]]
  return {
    ...(video && { video: { stream: video.stream, ...(videoCodec && { codec: videoCodec }) } }),
    audio: audio.map(({ stream, codec = audioCodec }) => ({ stream, ...(codec && { codec }) })),
    subtitles,
  }
}

function videoChoice({ codec }: VideoStream, question: StreamQuestion): { codec?: VideoCodecName } {
  const { container, settings, from } = question
  const wanted = settings.videoCodec
  const isTimed = readable[from]?.isTimed ?? false
  const isWanted = wanted === undefined || videoCodec(wanted).probed === codec
  const fits = container.takes.includes(codec) && isTimed && isWanted
  if (fits && !changesVideo(settings) && !isPlainRepeat(question)) return {}
  const chosen = chooseVideoCodec(codec, question)
  return chosen === undefined ? {} : { codec: chosen }
}

/**
 * The codec to encode video with: the requested one, the original one if codecs are kept, or the container's default.
 */
export function chooseVideoCodec(
  codec: string,
  { container, settings, keepsCodec }: Pick<StreamQuestion, 'container' | 'settings' | 'keepsCodec'>,
): VideoCodecName | undefined {
  const same = container.video.find((name) => videoCodec(name).probed === codec)
  return settings.videoCodec ?? (keepsCodec ? same : undefined) ?? container.video[0]
}

function audioChoice(stream: AudioStream, question: StreamQuestion): { codec?: AudioCodecName } {
  const { codec } = stream
  const { container, settings } = question
  const wanted = settings.audioCodec
  const isWanted = wanted === undefined || audioCodec(wanted).probed === codec
  const fits = container.takes.includes(codec) && isWanted && !isFragment(question) && !isTooSlow(stream, container)
  if (fits && !changesAudio(settings) && !isPlainRepeat(question)) return {}
  const chosen = chooseAudioCodec(codec, question)
  return chosen === undefined ? {} : { codec: chosen }
}

// These formats are just a sequence of frames, and readers detect them by several in a row: no program opens a copy of
// one or two.
function isFragment({ container, size = Number.POSITIVE_INFINITY }: StreamQuestion): boolean {
  return ['mp3', 'adts', 'ac3'].includes(container.muxer) && size < 8192
}

const leastMp3Rate = 16_000

// MP4 does not support MP3 with the lowest sample rates: FFmpeg would fail after the copy has started.
function isTooSlow({ codec, sampleRate = leastMp3Rate }: AudioStream, { muxer }: Container): boolean {
  return codec === 'mp3' && sampleRate < leastMp3Rate && ['mp4', 'ipod'].includes(muxer)
}

/** The same for audio. */
export function chooseAudioCodec(
  codec: string,
  { container, settings, keepsCodec }: Pick<StreamQuestion, 'container' | 'settings' | 'keepsCodec'>,
): AudioCodecName | undefined {
  const same = container.audio.find((name) => audioCodec(name).probed === codec)
  return settings.audioCodec ?? (keepsCodec ? same : undefined) ?? container.audio[0]
}

// A conversion to the same format without options is encoded again, because a copy would not be a conversion.
function isPlainRepeat({ from, to, container, settings, keepsCodec = false }: StreamQuestion): boolean {
  const { videoCodec, audioCodec, isSilent, isStripped, subtitles } = settings
  const usual = container.subtitles === undefined ? 'none' : 'keep'
  const isOther = subtitles !== undefined && subtitles !== usual
  const isSaid = videoCodec !== undefined || audioCodec !== undefined || isSilent || isStripped || isOther
  return from === to && !keepsCodec && !isSaid && !changesVideo(settings) && !changesAudio(settings)
}

function isKept(stream: SubtitleStream): boolean {
  return isText(stream) || ['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle'].includes(stream.codec)
}

function keptSubtitles({ media, container, settings }: StreamQuestion): readonly SubtitleStream[] {
  if (container.subtitles === undefined || (settings.subtitles ?? 'keep') !== 'keep') return []
  return container.subtitles === 'copy' ? media.subtitles.filter(isKept) : media.subtitles.filter(isText)
}
