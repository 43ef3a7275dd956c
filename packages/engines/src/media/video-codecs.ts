/** The quality scale of an encoder. */
export type QualityScale =
  | { readonly kind: 'crf'; readonly max: number; readonly byDefault: number }
  | { readonly kind: 'scale'; readonly best: number; readonly worst: number; readonly byDefault: number }
  | { readonly kind: 'none' }

/** A video codec as FFmpeg encodes it. */
export interface VideoCodec {
  readonly label: string
  readonly encoder: string
  /** ffprobe's name for the codec. */
  readonly probed: string
  readonly quality: QualityScale
  /** Arguments that the encoder always needs. */
  readonly args: readonly string[]
  /** Which program stores the statistics of the first of two passes. */
  readonly twoPass: 'ffmpeg' | 'x265' | 'none'
  readonly pixels: string
  /** For sources with more than 8 bits, if the codec supports them. */
  readonly deepPixels?: string
  /** Whether it needs a constant frame rate. */
  readonly isSteady?: boolean
  /** The only frame rates that the codec supports. */
  readonly rates?: readonly string[]
  /** The only sizes that the codec supports, smallest first. */
  readonly sizes?: readonly (readonly [width: number, height: number])[]
  /** Arguments for each preset, if the encoder has a speed setting. */
  readonly presets?: Readonly<Record<Preset, readonly string[]>>
}

/** How much time an encoder spends to make a file smaller, by x264's names. */
export const presets = {
  ultrafast: 'Fastest, largest file',
  superfast: 'Extremely fast',
  veryfast: 'Very fast',
  faster: 'Faster',
  fast: 'Fast',
  medium: 'Balanced',
  slow: 'Slow',
  slower: 'Slower',
  veryslow: 'Slowest, smallest file',
} as const

export type Preset = keyof typeof presets

const presetNames = Object.keys(presets) as Preset[]

function presetArgs(toArgs: (name: Preset, rank: number) => readonly string[]): Record<Preset, readonly string[]> {
  return Object.fromEntries(presetNames.map((name, rank) => [name, toArgs(name, rank)])) as Record<
    Preset,
    readonly string[]
  >
}

const named = presetArgs((name) => ['-preset', name])
// The two fastest presets use libvpx's realtime mode, because its other mode does not get that fast.
const vpx = presetArgs((_, rank) =>
  rank < 2 ? ['-deadline', 'realtime', '-cpu-used', '8'] : ['-deadline', 'good', '-cpu-used', String(8 - rank)],
)
// SVT-AV1 counts from 0 for slow. Its 10 is faster than x264's ultrafast for the same video.
const svt = presetArgs((_, rank) => ['-preset', String(12 - rank)])

const mpegScale = { kind: 'scale', best: 2, worst: 31, byDefault: 85 } as const
const mpegRates = ['24000/1001', '24', '25', '30000/1001', '30', '50', '60000/1001', '60'] as const
const yuv420 = 'yuv420p'

/** Every video codec, by the option value that selects it. */
export const videoCodecs = {
  h264: {
    label: 'H.264, played everywhere',
    encoder: 'libx264',
    probed: 'h264',
    quality: { kind: 'crf', max: 51, byDefault: 23 },
    args: [],
    twoPass: 'ffmpeg',
    pixels: yuv420,
    presets: named,
  },
  h265: {
    label: 'H.265, smaller and slower',
    encoder: 'libx265',
    probed: 'hevc',
    quality: { kind: 'crf', max: 51, byDefault: 28 },
    args: [],
    twoPass: 'x265',
    pixels: yuv420,
    deepPixels: 'yuv420p10le',
    presets: named,
  },
  vp9: {
    label: 'VP9, for the web',
    encoder: 'libvpx-vp9',
    probed: 'vp9',
    quality: { kind: 'crf', max: 63, byDefault: 32 },
    args: ['-row-mt', '1'],
    twoPass: 'ffmpeg',
    pixels: yuv420,
    deepPixels: 'yuv420p10le',
    presets: vpx,
  },
  vp8: {
    label: 'VP8, for old browsers',
    encoder: 'libvpx',
    probed: 'vp8',
    quality: { kind: 'crf', max: 63, byDefault: 20 },
    args: [],
    twoPass: 'ffmpeg',
    pixels: yuv420,
    presets: vpx,
  },
  av1: {
    label: 'AV1, smallest',
    encoder: 'libsvtav1',
    probed: 'av1',
    quality: { kind: 'crf', max: 63, byDefault: 35 },
    args: [],
    twoPass: 'none',
    pixels: yuv420,
    deepPixels: 'yuv420p10le',
    presets: svt,
  },
  mpeg4: {
    label: 'MPEG-4 part 2, as in DivX and Xvid',
    encoder: 'mpeg4',
    probed: 'mpeg4',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    isSteady: true,
    pixels: yuv420,
  },
  mpeg2: {
    label: 'MPEG-2, as on DVD',
    encoder: 'mpeg2video',
    probed: 'mpeg2video',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    pixels: yuv420,
    rates: mpegRates,
  },
  mpeg1: {
    label: 'MPEG-1, as on Video CD',
    encoder: 'mpeg1video',
    probed: 'mpeg1video',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    pixels: yuv420,
    rates: mpegRates,
  },
  wmv2: {
    label: 'Windows Media Video 8',
    encoder: 'wmv2',
    probed: 'wmv2',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    isSteady: true,
    pixels: yuv420,
  },
  wmv1: {
    label: 'Windows Media Video 7',
    encoder: 'wmv1',
    probed: 'wmv1',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    isSteady: true,
    pixels: yuv420,
  },
  flv1: {
    label: 'Sorenson Spark, for old Flash players',
    encoder: 'flv',
    probed: 'flv1',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    isSteady: true,
    pixels: yuv420,
  },
  theora: {
    label: 'Theora',
    encoder: 'libtheora',
    probed: 'theora',
    quality: { kind: 'scale', best: 10, worst: 0, byDefault: 70 },
    args: [],
    twoPass: 'ffmpeg',
    isSteady: true,
    pixels: yuv420,
  },
  h263: {
    label: 'H.263, for old phones; only a few frame sizes',
    encoder: 'h263',
    probed: 'h263',
    quality: mpegScale,
    args: [],
    twoPass: 'ffmpeg',
    pixels: yuv420,
    rates: ['30000/1001'],
    sizes: [
      [128, 96],
      [176, 144],
      [352, 288],
      [704, 576],
      [1408, 1152],
    ],
  },
  mjpeg: {
    label: 'Motion JPEG',
    encoder: 'mjpeg',
    probed: 'mjpeg',
    quality: mpegScale,
    args: [],
    twoPass: 'none',
    isSteady: true,
    pixels: 'yuvj420p',
  },
  prores: {
    label: 'ProRes 422, for editing',
    encoder: 'prores_ks',
    probed: 'prores',
    quality: { kind: 'none' },
    args: ['-profile:v', '2', '-vendor', 'apl0'],
    twoPass: 'none',
    isSteady: true,
    pixels: 'yuv422p10le',
  },
} as const satisfies Record<string, VideoCodec>

export type VideoCodecName = keyof typeof videoCodecs

/** A codec as the general type, without the literal types of its entry. */
export function videoCodec(name: VideoCodecName): VideoCodec {
  return videoCodecs[name]
}
