import { type AudioCodecName, audioCodecs } from '../media/audio-codecs.ts'
import { type Preset, type VideoCodecName, videoCodecs } from '../media/video-codecs.ts'
import { toSeconds } from './times.ts'

/** What the owner asked for, out of checked options: numbers, and words of ours. */
export interface MediaSettings {
  readonly videoCodec?: VideoCodecName
  readonly crf?: number
  readonly quality?: number
  readonly videoKbps?: number
  readonly isTwoPass: boolean
  readonly preset?: Preset
  readonly width?: number
  readonly height?: number
  readonly fit: 'inside' | 'cover' | 'fill' | 'pad'
  readonly fps?: number
  readonly turns: number
  readonly audioCodec?: AudioCodecName
  readonly audioKbps?: number
  readonly sampleRate?: number
  readonly channels?: number
  readonly volume: number
  readonly loudness?: number
  readonly isSilent: boolean
  readonly start?: number
  readonly end?: number
  readonly subtitles?: 'none' | 'keep' | 'burn'
  readonly isStripped: boolean
}

type Options = Readonly<Record<string, unknown>>

/** Reads the options of a conversion, which were checked against their descriptors. */
export function toMediaSettings(options: Options): MediaSettings {
  const settings = {
    videoCodec: keyOf(videoCodecs, options.video_codec),
    crf: numberOf(options.crf),
    quality: numberOf(options.quality),
    videoKbps: numberOf(options.video_bitrate),
    isTwoPass: options.two_pass === true,
    preset: wordOf<Preset>(options.preset),
    width: numberOf(options.width),
    height: numberOf(options.height),
    fit: wordOf<MediaSettings['fit']>(options.fit) ?? 'inside',
    fps: numberOf(options.fps),
    turns: Number(options.rotate ?? 0) / 90,
    audioCodec: keyOf(audioCodecs, options.audio_codec),
    audioKbps: numberOf(options.audio_bitrate),
    sampleRate: options.sample_rate === undefined ? undefined : Number(options.sample_rate),
    channels: numberOf(options.channels),
    volume: numberOf(options.volume) ?? 1,
    loudness: options.normalize === true ? (numberOf(options.loudness) ?? -23) : undefined,
    isSilent: options.remove_audio === true,
    start: timeOf(options.start),
    end: timeOf(options.end),
    subtitles: wordOf<'none' | 'keep' | 'burn'>(options.subtitles),
    isStripped: options.strip === true,
  }
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as unknown as MediaSettings
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? toSeconds(value) : undefined
}

// The words are those of the descriptors, which were checked.
function wordOf<Word extends string>(value: unknown): Word | undefined {
  return typeof value === 'string' ? (value as Word) : undefined
}

function keyOf<Table extends object>(table: Table, value: unknown): keyof Table | undefined {
  return typeof value === 'string' && Object.hasOwn(table, value) ? (value as keyof Table) : undefined
}

/** Whether pictures are to be other than they are. */
export function changesVideo(settings: MediaSettings): boolean {
  const { crf, quality, videoKbps, preset, width, height, fps, turns, start, end, subtitles } = settings
  const asked = [crf, quality, videoKbps, preset, width, height, fps, start, end]
  return asked.some((wish) => wish !== undefined) || turns !== 0 || subtitles === 'burn'
}

/** Whether sound is to be other than it is. */
export function changesAudio(settings: MediaSettings): boolean {
  const { audioKbps, sampleRate, channels, volume, loudness, start, end } = settings
  return [audioKbps, sampleRate, channels, loudness, start, end].some((wish) => wish !== undefined) || volume !== 1
}
