import type { AudioCodecName } from '../media/audio-codecs.ts'
import type { Preset, VideoCodecName } from '../media/video-codecs.ts'
import type { MediaOptions } from './abilities.ts'
import { toSeconds } from './times.ts'

/** The owner's settings, from checked options: numbers and known words only. */
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

/** Reads the options of a conversion. */
export function toMediaSettings(options: MediaOptions): MediaSettings {
  const settings: { readonly [Name in keyof MediaSettings]-?: MediaSettings[Name] | undefined } = {
    videoCodec: options.video_codec === 'auto' ? undefined : options.video_codec,
    crf: options.crf,
    quality: options.quality,
    videoKbps: options.video_bitrate,
    isTwoPass: options.two_pass ?? false,
    preset: options.preset,
    width: options.width,
    height: options.height,
    fit: options.fit ?? 'inside',
    fps: options.fps,
    turns: Number(options.rotate ?? 0) / 90,
    audioCodec: options.audio_codec === 'auto' ? undefined : options.audio_codec,
    audioKbps: options.audio_bitrate,
    sampleRate: options.sample_rate === undefined ? undefined : Number(options.sample_rate),
    channels: options.channels,
    volume: options.volume ?? 1,
    loudness: options.normalize ? (options.loudness ?? -23) : undefined,
    isSilent: options.remove_audio ?? false,
    start: timeOf(options.start),
    end: timeOf(options.end),
    subtitles: options.subtitles,
    isStripped: options.strip ?? false,
  }
  // Without undefined values, so that defaults can be spread before them.
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as unknown as MediaSettings
}

export function timeOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : toSeconds(time)
}

/** Whether the settings change the video. */
export function changesVideo(settings: MediaSettings): boolean {
  const { crf, quality, videoKbps, preset, width, height, fps, turns, start, end, subtitles } = settings
  const asked = [crf, quality, videoKbps, preset, width, height, fps, start, end]
  return asked.some((value) => value !== undefined) || turns !== 0 || subtitles === 'burn'
}

/** Whether the settings change the audio. */
export function changesAudio(settings: MediaSettings): boolean {
  const { audioKbps, sampleRate, channels, volume, loudness, start, end } = settings
  return [audioKbps, sampleRate, channels, loudness, start, end].some((value) => value !== undefined) || volume !== 1
}
