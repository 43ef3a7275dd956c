import { type Failure, failure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { findContainer } from '../media/containers.ts'
import { type MediaJob, made } from './job.ts'
import { warnOfLostTracks } from './lost-tracks.ts'
import { shownSize, type VideoStream } from './media.ts'
import { toMediaSettings } from './media-settings.ts'
import { encodeSteps } from './plan-convert.ts'
import { chooseVideoCodec, planStreams } from './streams.ts'

/** Plans a crop. Audio is not changed. */
export function planCrop(job: MediaJob): Plan | Failure {
  const { media, source, to } = job
  const { video } = media
  const container = findContainer(to)
  if (video === undefined || container === undefined) {
    return failure('unsupported', { text: 'The file has no video.' })
  }
  const area = toArea(job, video)
  if ('kind' in area) return area
  // Here, width and height are those of the area, not a size to fit into.
  const { width, height, ...settings } = toMediaSettings(job.options)
  const streams = planStreams({ media, from: source.format, to, container, settings, keepsCodec: true })
  const first = [...squareFilters(video), `crop=${area.width}:${area.height}:${area.x}:${area.y}`]
  const codec = chooseVideoCodec(video.codec, { container, settings, keepsCodec: true })
  if (codec === undefined) return failure('unsupported')
  const shown = { ...video, ...shownSize(video), turns: 0, pixelAspect: 1 } as const
  const cut = { ...shown, width: area.width, height: area.height }
  const conversion = { container, streams: { ...streams, video: { stream: cut, codec } }, settings, first }
  const output = made(job, 'out', `.${to}`)
  return {
    kind: 'plan',
    steps: encodeSteps(job, { conversion, span: { start: 0, args: [], ...spanOf(media.seconds) }, output }),
    outputs: [{ file: output, format: to, source: 0 }],
    warnings: [...warnOfLostTracks(job).warnings, ...area.warnings],
  }
}

function spanOf(seconds: number | undefined) {
  return seconds === undefined ? {} : { seconds }
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly warnings: readonly string[]
}

function toArea({ options }: MediaJob, video: VideoStream): Area | Failure {
  const shown = shownSize(video)
  const [x, y] = [options.x ?? 0, options.y ?? 0]
  const [width, height] = [options.width ?? shown.width - x, options.height ?? shown.height - y]
  const isInside = x + width <= shown.width && y + height <= shown.height
  if (!isInside || width < 2 || height < 2) {
    const text = `The area to keep must be within the image, which is ${shown.width} x ${shown.height}.`
    return failure('unsupported', { text })
  }
  const even = { width: width - (width % 2), height: height - (height % 2) }
  const isCut = even.width !== width || even.height !== height
  const warnings = isCut ? [`The area was made ${even.width} x ${even.height}: the codec wants even sizes.`] : []
  return { x, y, ...even, warnings }
}

// The owner counts pixels as shown, which are square.
export function squareFilters(video: VideoStream): readonly string[] {
  if (video.pixelAspect === 1) return []
  const { width, height } = shownSize(video)
  return [`scale=${width}:${height}`, 'setsar=1']
}
