import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { withUsual } from '../thumbnail/thumbnail-options.ts'
import { type MediaJob, made, toSpan } from './job.ts'
import { encoderArgs, planFrames } from './plan-frames.ts'
import { runStep } from './run-step.ts'

/**
 * Plans a small image of a recording: the requested frame, a representative one, or the waveform if there is no video.
 */
export function planThumbnail(given: MediaJob): Plan | Failure {
  const job = { ...given, options: withUsual(given.options) }
  if (job.media.video === undefined) return planWaveform(job)
  return job.options.time === undefined ? planChosenFrame(job) : planFrames(job)
}

/** How many frames are compared to find a representative one. */
const looks = 60

/** Compares frames that are cheap to decode, then uses the best one. */
function planChosenFrame(job: MediaJob): Plan | Failure {
  const span = toSpan(job)
  if (isFailure(span)) return span
  const index = job.media.video?.index ?? 0
  // Only key frames, because other frames need their predecessors decoded too. They may be many seconds apart.
  const filters = 'scale=320:-2,format=yuv420p,signalstats,blurdetect,metadata=print:file=-'
  const args = ['-map', `0:${index}`, '-vf', filters, '-frames:v', String(looks), '-fps_mode', 'passthrough']
  const keyFrames = { ...span, args: [...span.args, '-skip_frame', 'nokey'] }
  const look = {
    ...runStep(job, { span: keyFrames, args, muxer: 'null' }),
    capture: true,
    // If the comparison fails, the first frame is used.
    readExit: () => ({ hasFailed: true }),
    weight: 0.5,
  }
  return {
    kind: 'plan',
    steps: [look],
    outputs: [{ file: made(job, 'out', `.${job.to}`), format: job.to, source: 0 }],
    warnings: job.warnings,
    next: ({ stdout }) => {
      const time = chooseFrame(stdout[0] ?? '')
      const last = (job.media.seconds ?? Number.POSITIVE_INFINITY) - 0.05
      return planFrames({
        ...job,
        warnings: [],
        options: { ...job.options, time: String(Math.max(0, Math.min(time, last))) },
      })
    },
  }
}

interface Frame {
  readonly time: number
  readonly brightness: number
  /** Spread of brightness; low for a uniform area. */
  readonly contrast: number
  readonly blur: number
}

/** The time of the least blurred frame that is neither dark nor uniform; 0 if nothing is known. */
export function chooseFrame(report: string): number {
  const frames = readFrames(report)
  const clear = frames.filter(({ brightness, contrast }) => brightness > 32 && brightness < 224 && contrast > 24)
  const [first] = clear.length > 0 ? clear : frames.toSorted((a, b) => b.contrast - a.contrast)
  if (first === undefined) return 0
  return clear.reduce((best, one) => (one.blur < best.blur * 0.9 ? one : best), first).time
}

function readFrames(report: string): readonly Frame[] {
  const blocks = report.split(/^frame:/m).slice(1)
  return blocks.flatMap((block) => {
    const read = (name: string) => Number(new RegExp(`${name}[:=]\\s*(-?[\\d.]{1,20})`).exec(block)?.[1] ?? Number.NaN)
    const [time, brightness, low, high, blur] = ['pts_time', 'YAVG', 'YLOW', 'YHIGH', 'blur'].map(read)
    if (time === undefined || brightness === undefined || Number.isNaN(time) || Number.isNaN(brightness)) return []
    const contrast = (high ?? 0) - (low ?? 0)
    return [{ time, brightness, contrast: contrast || 0, blur: blur || 0 }]
  })
}

/** Plans an image of the loudness of a recording over time. */
function planWaveform(job: MediaJob): Plan | Failure {
  const span = toSpan(job)
  if (isFailure(span)) return span
  const [width, height] = [job.options.width ?? 0, job.options.height ?? 0]
  const size = `${width}x${Math.max(16, Math.min(height, Math.round(width / 4)))}`
  const [audio] = job.media.audio
  const wave = `[0:${audio?.index ?? 0}]aformat=channel_layouts=mono,showwavespic=s=${size}:colors=0x2563eb:scale=sqrt[wave]`
  const ground = `color=white:s=${size}[ground];[ground][wave]overlay=format=auto:shortest=1[out]`
  const output = made(job, 'out', `.${job.to}`)
  const args = ['-filter_complex', `${wave};${ground}`, '-map', '[out]', '-frames:v', '1', '-update', '1']
  const step = runStep(job, { span, args: [...args, ...encoderArgs(job)], muxer: 'image2', output })
  return { kind: 'plan', steps: [step], outputs: [{ file: output, format: job.to, source: 0 }], warnings: job.warnings }
}
