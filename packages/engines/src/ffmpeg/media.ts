/** The facts from ffprobe, validated: numbers are finite and positive, or absent. */
export interface Media {
  readonly seconds?: number
  readonly bitRate?: number
  readonly streams: number
  readonly chapters: number
  /** Whether there is video of unknown size. */
  readonly isHidden: boolean
  /** The video stream; cover images do not count. */
  readonly video?: VideoStream
  /** Further video streams, of which no result has any. */
  readonly moreVideos?: number
  /** Attached files, such as fonts, of which no result has any. */
  readonly attachments?: number
  readonly audio: readonly AudioStream[]
  readonly subtitles: readonly SubtitleStream[]
  /** Images attached to the recording, such as an album cover. */
  readonly covers: readonly CoverStream[]
  /** Video and audio streams with an unknown codec, such as protected ones. */
  readonly unknown: number
}

export interface VideoStream {
  readonly index: number
  readonly codec: string
  readonly language?: string
  /** As stored, before any rotation. */
  readonly width: number
  readonly height: number
  /** Clockwise quarter turns that a player applies. */
  readonly turns: 0 | 1 | 2 | 3
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number
  readonly fps?: number
  /** More than 8 bits per sample. */
  readonly isDeep: boolean
  readonly bitRate?: number
}

export interface AudioStream {
  readonly index: number
  readonly codec: string
  /** As in the file: a code of ISO 639-2, if it is one. */
  readonly language?: string
  readonly sampleRate?: number
  readonly channels?: number
  readonly bitRate?: number
}

export interface SubtitleStream {
  readonly index: number
  readonly codec: string
  readonly language?: string
}

export interface CoverStream {
  readonly index: number
  readonly codec: string
}

/** Text subtitles, which can be converted to another format. */
const textSubtitles = ['subrip', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']

export function isText({ codec }: SubtitleStream): boolean {
  return textSubtitles.includes(codec)
}

/** The size that a player shows: rotated, with square pixels. */
export function shownSize({ width, height, turns, pixelAspect }: VideoStream): { width: number; height: number } {
  const wide = Math.max(1, Math.round(width * pixelAspect))
  return turns % 2 === 1 ? { width: height, height: wide } : { width: wide, height }
}
