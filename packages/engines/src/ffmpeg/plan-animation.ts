import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'
import { inputRules } from '../media/input.ts'
import { mediaLimits } from '../media/limits.ts'
import { animationDefaults } from './animation-options.ts'
import { type MediaJob, made, type Span, toSpan } from './job.ts'
import { shownSize, type VideoStream } from './media.ts'
import { type MediaSettings, toMediaSettings } from './media-settings.ts'
import { planAttempts } from './plan-attempts.ts'
import { runStep } from './run-step.ts'
import { planShape, type Shape } from './shape.ts'
import { secondsArgument } from './times.ts'

/** Plans an animation: GIF or WebP. */
export function planAnimation(job: MediaJob): Plan | Failure {
  const { video } = job.media
  if (video === undefined) return failure('unsupported', { text: 'The file has no video.' })
  const settings = toMediaSettings(job.options)
  const asked = toSpan(job, settings.start, settings.end)
  if (isFailure(asked)) return asked
  const fps = settings.fps ?? animationDefaults.fps
  const shape = shapeOf(video, settings, [])
  const span = bounded(asked, mostFrames(shape) / fps)
  const excess = tooMuch(shape, fps, span)
  if (excess !== undefined) return excess
  // The last frame is kept even if it is very short: it may be the only one.
  const drawing = { video, span, filters: [`fps=${fps}:eof_action=pass`, ...shape.filters] }
  const output = made(job, 'out', `.${job.to}`)
  const isCut = span !== asked
  const warnings = [...job.warnings, ...(isCut ? [`The duration of the file is unknown: ${firstPart(span)}`] : [])]
  if (job.to !== 'gif') {
    return planAttempts(job, { output, warnings, variants: [{ steps: [webpStep(job, drawing, output)] }] })
  }
  const [best, plain] = [gifSteps(job, drawing, output), [plainGifStep(job, drawing, output)]]
  return planAttempts(job, { output, warnings, variants: [{ steps: best }, { steps: plain }] })
}

function firstPart({ seconds = 0 }: Span): string {
  return `at most its first ${Math.floor(seconds)} seconds were converted. Choose others with start and end.`
}

/** Limits a part of unknown length to `most` seconds: live recordings often do not store their duration. */
function bounded(span: Span, most: number): Span {
  if (span.seconds !== undefined) return span
  const seconds = Math.floor(most * 1000) / 1000
  return { ...span, seconds, args: [...span.args, '-t', secondsArgument(seconds)] }
}

function mostFrames({ width, height }: Shape): number {
  const { animationFrames, animationPixels } = mediaLimits
  return Math.min(animationFrames, Math.floor(animationPixels / (width * height)))
}

/** The size of an animation: at most the default width unless a size is given. */
function shapeOf(video: VideoStream, settings: MediaSettings, first: readonly string[]): Shape {
  const { width } = shownSize(video)
  const isAsked = settings.width !== undefined || settings.height !== undefined
  const isWide = !isAsked && width > animationDefaults.width
  const fitting = isWide ? { ...settings, width: animationDefaults.width } : settings
  const shape = planShape(video, fitting, { isEven: false, isSquare: true })
  return { ...shape, filters: [...first, ...shape.filters] }
}

/** Returns a failure if an animation would exceed the limits. */
export function tooMuch({ width, height }: Shape, fps: number, { seconds }: Span): Failure | undefined {
  const frames = Math.ceil((seconds ?? mediaLimits.seconds) * fps)
  const { animationFrames, animationPixels } = mediaLimits
  if (frames <= animationFrames && frames * width * height <= animationPixels) return undefined
  const limits = `${animationFrames} frames or ${animationPixels / 1e9} billion pixels`
  const text = `The animation would have more than ${limits}. Take a part with start and end, or lower fps or width.`
  return failure('limit_exceeded', { text })
}

export interface Drawing {
  readonly video: VideoStream
  readonly span: Span
  readonly filters: readonly string[]
}

/**
 * Creates a palette first, then the frames with it. In a single run, FFmpeg would keep every frame in memory until the
 * palette is complete.
 */
export function gifSteps(job: MediaJob, { video, span, filters }: Drawing, output: string): readonly ProcessStep[] {
  const palette = made(job, 'palette', '.png')
  const colours = job.options.colours ?? 256
  const seen = [...filters, `palettegen=max_colors=${colours}:stats_mode=diff`].join(',')
  const look = ['-map', `0:${video.index}`, '-vf', seen, '-frames:v', '1', '-update', '1']
  const dither = job.options.dither === false ? 'none' : 'sierra2_4a'
  const chain = `[0:${video.index}]${filters.join(',')}[v];[v][1:v]paletteuse=dither=${dither}:diff_mode=rectangle`
  const draw = ['-filter_complex', chain, ...loopArgs(job, 'gif')]
  const moreInputs = [...inputRules(['png_pipe']), '-i', `file:${palette}`]
  return [
    runStep(job, { span, args: look, muxer: 'image2', output: palette }),
    runStep(job, { span, moreInputs, args: draw, muxer: 'gif', output }),
  ]
}

// The filter that applies a palette fails on some recordings with a single frame. The encoder has its own palette.
function plainGifStep(job: MediaJob, { video, span, filters }: Drawing, output: string): ProcessStep {
  const pictures = ['-map', `0:${video.index}`, '-vf', filters.join(',')]
  return runStep(job, { span, args: [...pictures, ...loopArgs(job, 'gif')], muxer: 'gif', output })
}

function webpStep(job: MediaJob, { video, span, filters }: Drawing, output: string): ProcessStep {
  const { quality = 75, lossless } = job.options
  const grade = lossless ? ['-lossless', '1'] : ['-quality', String(quality)]
  const pictures = ['-map', `0:${video.index}`, '-vf', filters.join(','), '-c:v', 'libwebp_anim', ...grade]
  return runStep(job, { span, args: [...pictures, ...loopArgs(job, 'webp')], muxer: 'webp', output })
}

// GIF counts repeats after the first play, with -1 for none; WebP counts plays.
function loopArgs({ options }: MediaJob, kind: 'gif' | 'webp'): readonly string[] {
  const times = options.loop ?? 0
  if (kind === 'webp' || times === 0) return ['-loop', String(times)]
  return ['-loop', String(times === 1 ? -1 : times - 1)]
}
