import type { QualityScale, VideoCodec } from '../media/video-codecs.ts'
import type { VideoStream } from './media.ts'
import type { MediaSettings } from './media-settings.ts'

/** The number of the pass, and the file name prefix for the statistics of the first pass. */
export interface Pass {
  readonly number: 1 | 2
  readonly log: string
}

type Encoding = Pick<MediaSettings, 'crf' | 'quality' | 'videoKbps' | 'preset'>

/** The arguments that encode the video of a file. */
export function videoArgs(codec: VideoCodec, video: VideoStream, settings: Encoding, pass?: Pass): readonly string[] {
  const pixels = (video.isDeep && codec.deepPixels) || codec.pixels
  return [
    ...['-c:v', codec.encoder, '-pix_fmt', pixels, ...codec.args],
    ...presetArgs(codec, settings),
    ...rateArgs(codec, settings),
    ...passArgs(codec, pass),
  ]
}

function presetArgs({ presets }: VideoCodec, { preset = 'medium' }: Encoding): readonly string[] {
  return presets?.[preset] ?? []
}

function rateArgs({ encoder, quality }: VideoCodec, { crf, quality: percent, videoKbps }: Encoding): readonly string[] {
  if (quality.kind === 'none') return []
  const isAsked = crf !== undefined || percent !== undefined
  if (videoKbps !== undefined && !isAsked) return ['-b:v', `${videoKbps}k`]
  if (quality.kind === 'scale') {
    return ['-q:v', String(scaleValue(quality, percent ?? quality.byDefault)), ...ceiling(videoKbps)]
  }
  const value = ['-crf', String(Math.min(crf ?? quality.byDefault, quality.max))]
  // libvpx only uses constant quality if the rate is 0 (VP9) or unreachably high (VP8).
  if (encoder === 'libvpx-vp9') return [...value, '-b:v', videoKbps === undefined ? '0' : `${videoKbps}k`]
  if (encoder === 'libvpx') return [...value, '-b:v', `${videoKbps ?? 50_000}k`]
  return [...value, ...ceiling(videoKbps)]
}

function ceiling(kbps: number | undefined): readonly string[] {
  return kbps === undefined ? [] : ['-maxrate', `${kbps}k`, '-bufsize', `${2 * kbps}k`]
}

/** Maps a quality of 1 to 100 to the encoder's own scale, where lower may be better. */
function scaleValue({ best, worst }: Extract<QualityScale, { kind: 'scale' }>, percent: number): number {
  return Math.round(worst + ((best - worst) * (percent - 1)) / 99)
}

function passArgs({ twoPass }: VideoCodec, pass: Pass | undefined): readonly string[] {
  if (twoPass === 'x265') {
    const words = pass ? `:pass=${pass.number}:stats=${pass.log}.log` : ''
    return ['-x265-params', `log-level=error${words}`]
  }
  if (pass === undefined || twoPass === 'none') return []
  return ['-pass', String(pass.number), '-passlogfile', pass.log]
}
