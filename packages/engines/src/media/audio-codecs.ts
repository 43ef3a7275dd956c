/** An audio codec as FFmpeg encodes it. */
export interface AudioCodec {
  readonly label: string
  readonly encoder: string
  /** ffprobe's name for the codec. */
  readonly probed: string
  /** kbit/s for two channels, with its range; absent if the codec is lossless. */
  readonly kbps?: { readonly min: number; readonly max: number; readonly byDefault: number }
  /** The only bit rates that the codec supports, in kbit/s. */
  readonly bitRates?: readonly number[]
  /** Arguments that allow rates outside the standard. */
  readonly anyRate?: readonly string[]
  readonly maxChannels: number
  /** The only sample rates that the codec supports; absent: any. */
  readonly rates?: readonly number[]
  /** The highest sample rate, if the codec supports any below it. */
  readonly maxRate?: number
  /** Channel layouts for encoders that refuse others. */
  readonly layouts?: string
  /** Arguments if no bit rate is requested, instead of the default rate. */
  readonly unasked?: readonly string[]
  /** Arguments that the encoder always needs. */
  readonly args: readonly string[]
}

const mpegRates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
// For MPEG-1. The lower sample rates of MPEG-2 would need another list.
const layer2 = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const dolby = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
const lossless = { maxChannels: 8, args: [] } as const

/** Every audio codec, by the option value that selects it. */
export const audioCodecs = {
  aac: {
    label: 'AAC, played everywhere',
    encoder: 'aac',
    probed: 'aac',
    kbps: { min: 16, max: 512, byDefault: 128 },
    maxChannels: 8,
    rates: [...mpegRates, 64_000, 88_200, 96_000],
    args: [],
  },
  mp3: {
    label: 'MP3',
    encoder: 'libmp3lame',
    probed: 'mp3',
    kbps: { min: 8, max: 320, byDefault: 192 },
    anyRate: ['-abr', '1'],
    maxChannels: 2,
    rates: mpegRates,
    args: [],
  },
  opus: {
    label: 'Opus, best at low bit rates',
    encoder: 'libopus',
    probed: 'opus',
    kbps: { min: 6, max: 510, byDefault: 96 },
    maxChannels: 8,
    rates: [8000, 12_000, 16_000, 24_000, 48_000],
    // libopus refuses layouts that only differ in their side speakers.
    layouts: 'mono|stereo|3.0|quad|5.0|5.1|6.1|7.1',
    args: [],
  },
  vorbis: {
    label: 'Vorbis',
    encoder: 'libvorbis',
    probed: 'vorbis',
    kbps: { min: 48, max: 500, byDefault: 160 },
    maxChannels: 8,
    maxRate: 192_000,
    // Many sample rates do not support a fixed bit rate, but all support a quality.
    unasked: ['-q:a', '5'],
    args: [],
  },
  wma: {
    label: 'Windows Media Audio 9',
    encoder: 'wmav2',
    probed: 'wmav2',
    kbps: { min: 24, max: 320, byDefault: 128 },
    maxChannels: 2,
    rates: mpegRates,
    args: [],
  },
  ac3: {
    label: 'Dolby Digital',
    encoder: 'ac3',
    probed: 'ac3',
    kbps: { min: 32, max: 640, byDefault: 192 },
    bitRates: dolby,
    maxChannels: 6,
    rates: [32_000, 44_100, 48_000],
    args: [],
  },
  mp2: {
    label: 'MPEG audio layer 2',
    encoder: 'mp2',
    probed: 'mp2',
    kbps: { min: 32, max: 384, byDefault: 192 },
    bitRates: layer2,
    maxChannels: 2,
    rates: [32_000, 44_100, 48_000],
    args: [],
  },
  // For speech only, at the best of the few rates in the standards.
  amr_nb: {
    label: 'AMR narrowband',
    encoder: 'libopencore_amrnb',
    probed: 'amr_nb',
    maxChannels: 1,
    rates: [8000],
    args: ['-b:a', '12200'],
  },
  amr_wb: {
    label: 'AMR wideband',
    encoder: 'libvo_amrwbenc',
    probed: 'amr_wb',
    maxChannels: 1,
    rates: [16_000],
    args: ['-b:a', '23850'],
  },
  speex: {
    label: 'Speex, for speech',
    encoder: 'libspeex',
    probed: 'speex',
    maxChannels: 2,
    rates: [8000, 16_000, 32_000],
    args: [],
  },
  wavpack: { label: 'WavPack, without loss', encoder: 'wavpack', probed: 'wavpack', ...lossless },
  tta: { label: 'True Audio, without loss', encoder: 'tta', probed: 'tta', ...lossless },
  flac: { label: 'FLAC, lossless', encoder: 'flac', probed: 'flac', ...lossless },
  alac: { label: 'Apple Lossless', encoder: 'alac', probed: 'alac', ...lossless },
  pcm_s16: { label: 'PCM, 16-bit', encoder: 'pcm_s16le', probed: 'pcm_s16le', ...lossless },
  pcm_s24: { label: 'PCM, 24-bit', encoder: 'pcm_s24le', probed: 'pcm_s24le', ...lossless },
  pcm_f32: { label: 'PCM, 32-bit float', encoder: 'pcm_f32le', probed: 'pcm_f32le', ...lossless },
  pcm_s16be: { label: 'PCM, 16-bit', encoder: 'pcm_s16be', probed: 'pcm_s16be', ...lossless },
  pcm_s24be: { label: 'PCM, 24-bit', encoder: 'pcm_s24be', probed: 'pcm_s24be', ...lossless },
} as const satisfies Record<string, AudioCodec>

export type AudioCodecName = keyof typeof audioCodecs

/** A codec as the general type, without the literal types of its entry. */
export function audioCodec(name: AudioCodecName): AudioCodec {
  return audioCodecs[name]
}
