import { type Failure, failure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { findContainer } from '../media/containers.ts'
import { layerStep, stampFile } from '../watermark/stamp.ts'
import { type MediaJob, made } from './job.ts'
import { warnOfLostTracks } from './lost-tracks.ts'
import { shownSize } from './media.ts'
import { toMediaSettings } from './media-settings.ts'
import { encodeSteps } from './plan-convert.ts'
import { squareFilters } from './plan-crop.ts'
import { chooseVideoCodec, planStreams } from './streams.ts'

/** Plans a video with a watermark on every frame. Audio is not changed. */
export function planWatermark(job: MediaJob): Plan | Failure {
  const { media, source, to, overlay, options } = job
  const { video, seconds } = media
  const container = findContainer(to)
  if (video === undefined || container === undefined) {
    return failure('unsupported', { text: 'The file has no video.' })
  }
  const settings = toMediaSettings(options)
  const streams = planStreams({ media, from: source.format, to, container, settings, keepsCodec: true })
  const codec = chooseVideoCodec(video.codec, { container, settings, keepsCodec: true })
  if (codec === undefined) return failure('unsupported')
  const size = shownSize(video)
  const stream = { ...video, ...size, turns: 0, pixelAspect: 1 } as const
  // A filter reads the watermark from a file that Lathe created, so that the arguments have one input, as in other
  // plans.
  const place = [...squareFilters(video), 'null[frames];'].join(',')
  const first = [`${place}movie=${stampFile.file}[mark];[frames][mark]overlay=0:0:format=auto`]
  const conversion = { container, streams: { ...streams, video: { stream, codec } }, settings, first }
  const output = made(job, 'out', `.${to}`)
  const span = { start: 0, args: [], ...(seconds !== undefined && { seconds }) }
  return {
    kind: 'plan',
    steps: [layerStep({ overlay, options }, size), ...encodeSteps(job, { conversion, span, output })],
    outputs: [{ file: output, format: to, source: 0 }],
    warnings: warnOfLostTracks(job).warnings,
  }
}
