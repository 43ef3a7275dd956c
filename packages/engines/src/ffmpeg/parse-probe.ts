import { type Failure, failure } from '@lathe/domain'
import { mediaLimits } from '../media/limits.ts'
import type { AudioStream, CoverStream, Media, SubtitleStream, VideoStream } from './media.ts'

type Fields = Readonly<Record<string, unknown>>

/** The maximum output that is kept of a step. An answer of this length was truncated. */
const keptOutput = 1024 ** 2

/** Parses ffprobe's answer. Whatever a header claims, the result contains only valid numbers. */
export function parseProbe(stdout: string): Media | Failure {
  if (stdout.length >= keptOutput) return failure('limit_exceeded', { text: 'The file has too many parts.' })
  const answer = parseJson(stdout)
  const all = listOf(answer.streams)
  const streams = all.filter((stream) => !isUnknown(stream))
  const pictures = streams.filter(isPicture)
  const [video, ...moreVideos] = pictures.flatMap(toVideo)
  const attachments = all.filter(({ codec_type }) => codec_type === 'attachment').length
  const format = fieldsOf(answer.format)
  const spans = [format, ...streams].flatMap(({ duration }) => positive(duration) ?? [])
  return {
    ...known({ seconds: positive(format.duration) ?? longest(spans), bitRate: positive(format.bit_rate) }),
    streams: Math.max(all.length, positive(format.nb_streams) ?? 0),
    chapters: listOf(answer.chapters).length,
    isHidden: video === undefined && pictures.length > 0,
    ...known({ video, moreVideos: moreVideos.length || undefined, attachments: attachments || undefined }),
    audio: streams.filter(({ codec_type }) => codec_type === 'audio').flatMap(toAudio),
    subtitles: streams.filter(({ codec_type }) => codec_type === 'subtitle').flatMap(toSubtitle),
    covers: streams.filter(isCover).flatMap(toCover),
    unknown: all.length - streams.length,
  }
}

// ffprobe names no codec for streams it does not recognize, such as those of protected songs.
function isUnknown({ codec_type, codec_name }: Fields): boolean {
  return (codec_type === 'video' || codec_type === 'audio') && ['', 'none', 'unknown'].includes(wordOf(codec_name))
}

function isPicture({ codec_type, disposition }: Fields): boolean {
  return codec_type === 'video' && fieldsOf(disposition).attached_pic !== 1
}

function isCover({ codec_type, disposition }: Fields): boolean {
  return codec_type === 'video' && fieldsOf(disposition).attached_pic === 1
}

// A cover of unknown size would break the whole result.
function toCover(stream: Fields): CoverStream[] {
  const [index, codec] = [wholeOf(stream.index), wordOf(stream.codec_name)]
  const isReadable = positive(stream.width) !== undefined && positive(stream.height) !== undefined
  return index === undefined || !isReadable ? [] : [{ index, codec }]
}

function toVideo(stream: Fields): VideoStream[] {
  const [index, width, height] = [wholeOf(stream.index), positive(stream.width), positive(stream.height)]
  if (index === undefined || width === undefined || height === undefined) return []
  const fps = ratio(stream.avg_frame_rate, '/') ?? believable(ratio(stream.r_frame_rate, '/'))
  return [
    {
      index,
      codec: wordOf(stream.codec_name),
      width,
      height,
      turns: turnsOf(stream.side_data_list),
      pixelAspect: aspectOf(stream.sample_aspect_ratio),
      isDeep: /p(9|1[0246])/.test(wordOf(stream.pix_fmt)),
      ...known({ fps, bitRate: positive(stream.bit_rate), language: languageOf(stream) }),
    },
  ]
}

function toAudio(stream: Fields): AudioStream[] {
  const index = wholeOf(stream.index)
  if (index === undefined) return []
  const facts = {
    sampleRate: positive(stream.sample_rate),
    channels: positive(stream.channels),
    bitRate: positive(stream.bit_rate),
    language: languageOf(stream),
  }
  return [{ index, codec: wordOf(stream.codec_name), ...known(facts) }]
}

function toSubtitle(stream: Fields): SubtitleStream[] {
  const index = wholeOf(stream.index)
  const language = languageOf(stream)
  return index === undefined ? [] : [{ index, codec: wordOf(stream.codec_name), ...known({ language }) }]
}

// A tag may be any text: only a code may become an argument.
function languageOf({ tags }: Fields): string | undefined {
  const language = wordOf(fieldsOf(tags).language)
  return /^[a-z]{3}$/.test(language) && language !== 'und' ? language : undefined
}

// ffprobe counts counterclockwise: -90 is a clockwise quarter turn.
function turnsOf(sideData: unknown): VideoStream['turns'] {
  const rotation = listOf(sideData).flatMap(({ rotation }) => (typeof rotation === 'number' ? [rotation] : []))[0] ?? 0
  const quarters = Math.round(-rotation / 90)
  return (((quarters % 4) + 4) % 4) as VideoStream['turns']
}

// The second rate is FFmpeg's guess at a rate that fits all timestamps. For some formats it is the rate of the clock.
function believable(fps: number | undefined): number | undefined {
  return fps !== undefined && fps <= mediaLimits.framesPerSecond ? fps : undefined
}

// An aspect ratio beyond 16:1 is false and would only make an image enormous.
function aspectOf(value: unknown): number {
  const aspect = ratio(value, ':') ?? 1
  return aspect >= 1 / 16 && aspect <= 16 ? aspect : 1
}

function ratio(value: unknown, mark: string): number | undefined {
  const [top, bottom] = wordOf(value).split(mark).map(Number)
  return positive((top ?? 0) / (bottom ?? 0))
}

function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined
}

function wholeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function longest(spans: readonly number[]): number | undefined {
  return spans.length === 0 ? undefined : Math.max(...spans)
}

function parseJson(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** Removes undefined values, so that unknown facts are always absent. */
function known<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never
}
