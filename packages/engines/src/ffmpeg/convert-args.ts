import { audioCodec } from '../media/audio-codecs.ts'
import type { Container } from '../media/containers.ts'
import { mediaLimits } from '../media/limits.ts'
import { type VideoCodec, videoCodec } from '../media/video-codecs.ts'
import { audioArgs } from './encode-audio.ts'
import { type Pass, videoArgs } from './encode-video.ts'
import { exactRate, nearestRate } from './frame-rate.ts'
import { isText, type SubtitleStream, type VideoStream } from './media.ts'
import type { MediaSettings } from './media-settings.ts'
import { languageArgs } from './quicktime-languages.ts'
import { planShape } from './shape.ts'
import type { StreamPlan } from './streams.ts'

export interface Conversion {
  readonly container: Container
  readonly streams: StreamPlan
  readonly settings: MediaSettings
  /** A file that Lathe created, with subtitles to draw into the video. */
  readonly burnt?: string
  /** Filters that run before those of the shape, such as a crop. */
  readonly first?: readonly string[]
}

/** The arguments between input and output of a conversion. The first of two passes only processes video. */
export function convertArgs(conversion: Conversion, pass?: Pass): readonly string[] {
  const { streams, container, settings } = conversion
  const pictures = pictureArgs(conversion, pass)
  if (pass?.number === 1) return [...mapArgs({ ...streams, audio: [], subtitles: [], covers: [] }), ...pictures]
  const sound = streams.audio.flatMap(({ stream, codec }, n) =>
    codec === undefined ? [`-c:a:${n}`, 'copy'] : audioArgs(audioCodec(codec), stream, settings, n),
  )
  const subtitles = streams.subtitles.flatMap((stream, n) => [`-c:s:${n}`, subtitleCodec(container, stream)])
  const meta = metaArgs(conversion)
  const covers = streams.video === undefined && streams.covers?.length ? ['-c:v', 'copy'] : []
  return [...mapArgs(streams), ...pictures, ...covers, ...sound, ...subtitles, ...meta, ...container.args]
}

/** The same without encoding. */
export function remuxArgs(conversion: Conversion): readonly string[] {
  const { streams, container } = conversion
  const subtitles = streams.subtitles.flatMap((stream, n) => [`-c:s:${n}`, subtitleCodec(container, stream)])
  const meta = metaArgs(conversion)
  return [...mapArgs(streams), '-c', 'copy', ...subtitles, ...tagArgs(streams, container), ...meta, ...container.args]
}

function metaArgs({ settings, container, streams }: Conversion): readonly string[] {
  return settings.isStripped ? ['-map_metadata', '-1', '-map_chapters', '-1'] : languageArgs(container, streams)
}

function mapArgs({ video, audio, subtitles, covers = [] }: StreamPlan): readonly string[] {
  const streams = [...(video ? [video.stream] : []), ...audio.map(({ stream }) => stream), ...subtitles, ...covers]
  return streams.flatMap(({ index }) => ['-map', `0:${index}`])
}

function pictureArgs(conversion: Conversion, pass: Pass | undefined): readonly string[] {
  const { video } = conversion.streams
  if (video === undefined) return []
  const tag = tagArgs(conversion.streams, conversion.container)
  if (video.codec === undefined) return ['-c:v', 'copy', ...tag]
  const codec = videoCodec(video.codec)
  const filters = pictureFilters(codec, video.stream, conversion)
  const chain = filters.length === 0 ? [] : ['-vf', filters.join(',')]
  return [...videoArgs(codec, video.stream, conversion.settings, pass), ...tag, ...chain, ...timingArgs(conversion)]
}

const variable = ['mp4', 'ipod', 'mov', '3gp', 'matroska', 'webm', 'flv', 'mpegts']

// Frames keep their timestamps if the container stores them. Otherwise FFmpeg fills gaps with duplicates up to the rate
// that a header claims, so the rate is capped.
function timingArgs({ container }: Conversion): readonly string[] {
  if (variable.includes(container.muxer)) return ['-fps_mode', 'vfr']
  return ['-fpsmax', String(mediaLimits.framesPerSecond)]
}

function pictureFilters(codec: VideoCodec, video: VideoStream, { settings, burnt, first = [] }: Conversion) {
  const { filters } = planShape(video, settings, { isEven: true, isSquare: false, sizes: codec.sizes })
  return [...first, ...filters, ...rateFilter(codec, video, settings), ...(burnt === undefined ? [] : [`ass=${burnt}`])]
}

function rateFilter({ rates, isSteady }: VideoCodec, video: VideoStream, { fps }: MediaSettings): readonly string[] {
  if (rates !== undefined) return [`fps=${nearestRate(rates, fps ?? video.fps ?? 25)}`]
  const wanted = fps ?? (isSteady ? video.fps : undefined)
  return wanted === undefined ? [] : [`fps=${exactRate(wanted)}`]
}

// Apple's players only recognize H.265 under this tag.
function tagArgs({ video }: StreamPlan, { muxer }: Container): readonly string[] {
  const isApple = ['mp4', 'mov'].includes(muxer)
  const isH265 = video?.codec === 'h265' || (video?.codec === undefined && video?.stream.codec === 'hevc')
  return isApple && isH265 ? ['-tag:v', 'hvc1'] : []
}

function subtitleCodec({ subtitles }: Container, stream: SubtitleStream): string {
  if (subtitles !== 'copy') return subtitles ?? 'copy'
  // Matroska cannot store the text subtitles of MP4.
  return isText(stream) && stream.codec === 'mov_text' ? 'srt' : 'copy'
}
