import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { mediaLimits } from '../media/limits.ts'
import { type MediaJob, made, toSpan } from './job.ts'
import { timeOf, toMediaSettings } from './media-settings.ts'
import { runStep } from './run-step.ts'
import { planShape } from './shape.ts'
import { secondsArgument } from './times.ts'

/** Plans one image from a video, or one image per interval. */
export function planFrames(job: MediaJob): Plan | Failure {
  const { video } = job.media
  if (video === undefined) return failure('unsupported', { text: 'The file has no video.' })
  const span = toSpan(job, timeOf(job.options.time))
  if (isFailure(span)) return span
  const every = job.options.every
  // If the duration is unknown, up to the maximum number of images.
  const seconds = span.seconds ?? (every ?? 1) * mediaLimits.pictures
  const count = every === undefined ? 1 : Math.ceil(seconds / every)
  if (count > mediaLimits.pictures) {
    const text = `There would be ${count} images; the limit is ${mediaLimits.pictures}. Increase the option every.`
    return failure('limit_exceeded', { text })
  }
  const { filters } = planShape(video, toMediaSettings(job.options), { isEven: false, isSquare: true })
  const chain = [...(every === undefined ? [] : [`fps=1/${secondsArgument(every)}:round=up:start_time=0`]), ...filters]
  const single = every === undefined
  const output = made(job, 'out', single ? `.${job.to}` : `-*.${job.to}`)
  const args = [
    ...['-map', `0:${video.index}`, ...(chain.length === 0 ? [] : ['-vf', chain.join(',')])],
    ...encoderArgs(job),
    ...(single ? ['-frames:v', '1', '-update', '1'] : ['-frames:v', String(count)]),
  ]
  const file = output.replace('*', '%d')
  const step = runStep(job, { span, args, muxer: 'image2', output: file, leaves: single ? [output] : [] })
  return {
    kind: 'plan',
    steps: [step],
    outputs: [{ file: output, format: job.to, source: 0 }],
    warnings: job.warnings,
  }
}

/** The encoder arguments for an image, by format and quality. */
export function encoderArgs({ to, options }: MediaJob): readonly string[] {
  if (to === 'png') return ['-c:v', 'png', '-pix_fmt', 'rgb24']
  const quality = options.quality ?? 90
  // MJPEG's scale is 1 (best) to 31.
  const scale = Math.max(1, Math.round(31 - (30 * (quality - 1)) / 99))
  return ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', String(scale)]
}
