/** What ffprobe tells of a file, made safe: numbers are finite and positive, or absent. */
export interface Media {
  readonly seconds?: number
  readonly bitRate?: number
  readonly streams: number
  readonly chapters: number
  /** Whether there are pictures of which not even the size can be told. */
  readonly isHidden: boolean
  /** Moving pictures; the cover of a song is none. */
  readonly video?: VideoStream
  readonly audio: readonly AudioStream[]
  readonly subtitles: readonly SubtitleStream[]
  /** Pictures attached to the recording, such as the cover of an album. */
  readonly covers: readonly CoverStream[]
  /** Video and audio streams of a kind that nothing here knows, such as protected ones. */
  readonly unknown: number
}

export interface VideoStream {
  readonly index: number
  readonly codec: string
  /** As stored, before any turn. */
  readonly width: number
  readonly height: number
  /** Quarter turns clockwise that a player makes. */
  readonly turns: 0 | 1 | 2 | 3
  /** Width of a pixel, its height being 1. */
  readonly pixelAspect: number
  readonly fps?: number
  /** More than 8 bits a sample. */
  readonly isDeep: boolean
  readonly bitRate?: number
}

export interface AudioStream {
  readonly index: number
  readonly codec: string
  readonly sampleRate?: number
  readonly channels?: number
  readonly bitRate?: number
}

export interface SubtitleStream {
  readonly index: number
  readonly codec: string
}

export interface CoverStream {
  readonly index: number
  readonly codec: string
}

/** Text subtitles, which can be written anew in another form. */
const textSubtitles = ['subrip', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']

export function isText({ codec }: SubtitleStream): boolean {
  return textSubtitles.includes(codec)
}

/** The size a player shows: turned, with square pixels. */
export function shownSize({ width, height, turns, pixelAspect }: VideoStream): { width: number; height: number } {
  const wide = Math.max(1, Math.round(width * pixelAspect))
  return turns % 2 === 1 ? { width: height, height: wide } : { width: wide, height }
}
