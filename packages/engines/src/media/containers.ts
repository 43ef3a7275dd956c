import type { AudioCodecName } from './audio-codecs.ts'
import type { VideoCodecName } from './video-codecs.ts'

/** A format that FFmpeg reads, with the only demuxers that may be used. */
export interface Readable {
  readonly kind: 'video' | 'audio' | 'animation'
  /** More than one if files of the format come in several forms. FFmpeg then detects which of these it is. */
  readonly demuxers: readonly string[]
  /** Whether every packet has a timestamp, so that streams can be copied. */
  readonly isTimed: boolean
}

/** A format that FFmpeg writes, and what it can contain. */
export interface Container {
  readonly muxer: string
  /** Codecs to encode with, the default first. Empty: audio only. */
  readonly video: readonly VideoCodecName[]
  readonly audio: readonly AudioCodecName[]
  /** Codecs, by ffprobe's names, that are copied because players expect them in this format. */
  readonly takes: readonly string[]
  /** The format for text subtitles, or `copy` if all kinds are supported. */
  readonly subtitles?: 'mov_text' | 'webvtt' | 'copy'
  readonly hasManyTracks: boolean
  /** Whether it supports attached images, such as album covers. */
  readonly hasCovers?: boolean
  readonly args: readonly string[]
}

const video = (demuxer: string, isTimed: boolean): Readable => ({ kind: 'video', demuxers: [demuxer], isTimed })
const audio = (...demuxers: string[]): Readable => ({ kind: 'audio', demuxers, isTimed: true })

/** Every readable format. AVI, MPEG and Windows Media omit timestamps or count them differently. */
export const readable: Readonly<Record<string, Readable>> = {
  mp4: video('mov', true),
  m4v: video('mov', true),
  mov: video('mov', true),
  '3gp': video('mov', true),
  mkv: video('matroska', true),
  webm: video('matroska', true),
  flv: video('flv', true),
  ts: video('mpegts', true),
  rm: video('rm', false),
  wtv: video('wtv', false),
  swf: video('swf', false),
  ogv: video('ogg', false),
  avi: video('avi', false),
  wmv: video('asf', false),
  mpg: { kind: 'video', demuxers: ['mpeg', 'mpegvideo'], isTimed: false },
  mxf: video('mxf', false),
  gxf: video('gxf', false),
  nut: video('nut', false),
  gif: { kind: 'animation', demuxers: ['gif'], isTimed: false },
  au: audio('au'),
  spx: audio('ogg'),
  ape: audio('ape'),
  wv: audio('wv'),
  tta: audio('tta'),
  mpc: audio('mpc', 'mpc8'),
  tak: audio('tak'),
  dsf: audio('dsf', 'iff'),
  ra: audio('rm'),
  mod: audio('libopenmpt'),
  s3m: audio('libopenmpt'),
  xm: audio('libopenmpt'),
  it: audio('libopenmpt'),
  // A score: a synthesizer renders it to a wave file for FFmpeg.
  mid: audio('wav'),
  mp3: audio('mp3'),
  wav: audio('wav'),
  flac: audio('flac'),
  aac: audio('aac'),
  m4a: audio('mov'),
  ogg: audio('ogg'),
  opus: audio('ogg'),
  wma: audio('asf'),
  aiff: audio('aiff'),
  ac3: audio('ac3'),
  amr: audio('amr'),
  caf: audio('caf'),
  w64: audio('w64'),
  dts: audio('dts'),
  voc: audio('voc'),
  sox: audio('sox'),
  sf: audio('ircam'),
  adx: audio('adx'),
}

// With the index at the front, a player can start before it has the whole file.
const faststart = ['-movflags', '+faststart']
const mpegFamily = ['h264', 'hevc', 'av1', 'mpeg4', 'aac', 'mp3', 'ac3', 'eac3', 'alac']
const oneTrack = { hasManyTracks: false, args: [] } as const

/** Every container that can be written with video. */
export const videoContainers = {
  mp4: {
    muxer: 'mp4',
    video: ['h264', 'h265', 'av1', 'vp9', 'mpeg4'],
    audio: ['aac', 'mp3', 'ac3', 'opus'],
    takes: mpegFamily,
    subtitles: 'mov_text',
    hasManyTracks: true,
    hasCovers: true,
    args: faststart,
  },
  m4v: {
    muxer: 'ipod',
    video: ['h264', 'mpeg4'],
    audio: ['aac', 'ac3'],
    takes: ['h264', 'mpeg4', 'aac', 'ac3', 'alac'],
    subtitles: 'mov_text',
    hasManyTracks: true,
    hasCovers: true,
    args: faststart,
  },
  mov: {
    muxer: 'mov',
    video: ['h264', 'h265', 'prores', 'mpeg4', 'mjpeg'],
    audio: ['aac', 'pcm_s16', 'pcm_s24', 'alac', 'mp3', 'ac3'],
    takes: [...mpegFamily, 'prores', 'mjpeg', 'pcm_s16le', 'pcm_s24le', 'pcm_s16be', 'pcm_s24be'],
    subtitles: 'mov_text',
    hasManyTracks: true,
    args: faststart,
  },
  mkv: {
    muxer: 'matroska',
    video: ['h264', 'h265', 'vp9', 'av1', 'vp8', 'mpeg4', 'mpeg2'],
    audio: ['aac', 'opus', 'vorbis', 'flac', 'mp3', 'ac3', 'pcm_s16'],
    takes: [
      ...mpegFamily,
      ...['vp8', 'vp9', 'mpeg2video', 'theora', 'opus', 'vorbis', 'flac', 'mp2', 'dts', 'truehd', 'pcm_s16le'],
    ],
    subtitles: 'copy',
    hasManyTracks: true,
    args: [],
  },
  webm: {
    muxer: 'webm',
    video: ['vp9', 'av1', 'vp8'],
    audio: ['opus', 'vorbis'],
    takes: ['vp8', 'vp9', 'av1', 'opus', 'vorbis'],
    subtitles: 'webvtt',
    hasManyTracks: true,
    args: [],
  },
  avi: {
    muxer: 'avi',
    video: ['mpeg4', 'h264', 'mjpeg'],
    audio: ['mp3', 'ac3', 'pcm_s16'],
    // Without H.264: this format cannot store the timestamps of reordered frames.
    takes: ['mp3', 'ac3', 'pcm_s16le'],
    ...oneTrack,
  },
  wmv: { muxer: 'asf', video: ['wmv2', 'wmv1'], audio: ['wma', 'mp3'], takes: ['wmav2', 'wmav1', 'mp3'], ...oneTrack },
  flv: {
    muxer: 'flv',
    video: ['h264', 'flv1'],
    audio: ['aac', 'mp3'],
    takes: ['h264', 'flv1', 'aac', 'mp3'],
    hasManyTracks: false,
    args: ['-flvflags', 'no_duration_filesize'],
  },
  mpg: { muxer: 'vob', video: ['mpeg2', 'mpeg1'], audio: ['mp2', 'ac3'], takes: ['mp2', 'ac3'], ...oneTrack },
  ts: {
    muxer: 'mpegts',
    video: ['h264', 'h265', 'mpeg2'],
    audio: ['aac', 'ac3', 'mp3', 'mp2'],
    takes: ['h264', 'hevc', 'mpeg2video', 'aac', 'ac3', 'eac3', 'mp3', 'mp2'],
    hasManyTracks: true,
    args: [],
  },
  ogv: { muxer: 'ogv', video: ['theora'], audio: ['vorbis', 'opus', 'flac'], takes: ['vorbis', 'opus'], ...oneTrack },
  '3gp': {
    muxer: '3gp',
    video: ['h264', 'mpeg4', 'h263'],
    audio: ['aac'],
    takes: ['h264', 'mpeg4', 'h263', 'aac', 'amr_nb', 'amr_wb'],
    hasManyTracks: false,
    args: faststart,
  },
} as const satisfies Record<string, Container>

const sound = (muxer: string, codecs: readonly AudioCodecName[], takes: readonly string[], args: string[] = []) =>
  ({ muxer, video: [], audio: codecs, takes, hasManyTracks: false, args }) satisfies Container

/** Every container that is written with audio only. */
export const audioContainers = {
  mp3: { ...sound('mp3', ['mp3'], ['mp3'], ['-id3v2_version', '3']), hasCovers: true },
  // Above 4 GiB, the plain header cannot store the length.
  wav: sound('wav', ['pcm_s16', 'pcm_s24', 'pcm_f32'], ['pcm_s16le', 'pcm_s24le', 'pcm_f32le'], ['-rf64', 'auto']),
  flac: { ...sound('flac', ['flac'], ['flac']), hasCovers: true },
  aac: sound('adts', ['aac'], ['aac']),
  m4a: { ...sound('ipod', ['aac', 'alac'], ['aac', 'alac'], faststart), hasCovers: true },
  ogg: sound('ogg', ['vorbis', 'opus', 'flac'], ['vorbis', 'opus', 'flac']),
  opus: sound('opus', ['opus'], ['opus']),
  wma: sound('asf', ['wma'], ['wmav2', 'wmav1']),
  aiff: sound('aiff', ['pcm_s16be', 'pcm_s24be'], ['pcm_s16be', 'pcm_s24be']),
  ac3: sound('ac3', ['ac3'], ['ac3']),
  amr: sound('amr', ['amr_nb', 'amr_wb'], ['amr_nb', 'amr_wb']),
  au: sound('au', ['pcm_s16be', 'pcm_s24be'], ['pcm_s16be', 'pcm_s24be', 'pcm_mulaw', 'pcm_alaw']),
  wv: sound('wv', ['wavpack'], ['wavpack']),
  tta: sound('tta', ['tta'], ['tta']),
  spx: sound('spx', ['speex'], ['speex']),
  caf: sound('caf', ['pcm_s16', 'pcm_s24', 'alac'], ['pcm_s16le', 'pcm_s24le', 'pcm_s16be', 'pcm_s24be', 'alac']),
  w64: sound('w64', ['pcm_s16', 'pcm_s24', 'pcm_f32'], ['pcm_s16le', 'pcm_s24le', 'pcm_f32le']),
} as const satisfies Record<string, Container>

export type VideoContainerName = keyof typeof videoContainers
export type AudioContainerName = keyof typeof audioContainers

export const videoContainerNames = Object.keys(videoContainers) as VideoContainerName[]
export const audioContainerNames = Object.keys(audioContainers) as AudioContainerName[]

/** The container of an output format, if FFmpeg writes it as one. */
export function findContainer(ext: string): Container | undefined {
  if (Object.hasOwn(videoContainers, ext)) return videoContainers[ext as VideoContainerName]
  if (Object.hasOwn(audioContainers, ext)) return audioContainers[ext as AudioContainerName]
  return undefined
}

/** A table with one entry per name. */
export function tableOf<Name extends string, Value>(
  names: readonly Name[],
  toValue: (name: Name) => Value,
): Readonly<Record<Name, Value>> {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>
}
