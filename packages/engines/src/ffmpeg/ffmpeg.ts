import { type Failure, failure, isFailure } from '@lathe/domain'
import type { ProcessingOperation } from '@lathe/operations'
import type { Engine, Plan, PlanRequest, SourceFile } from '../engine.ts'
import { audioContainers } from '../media/containers.ts'
import { checkPlanOptions, type PlanOptions } from '../plan-options.ts'
import { abilities } from './abilities.ts'
import { type MediaJob, made } from './job.ts'
import { judgeMedia } from './judge-media.ts'
import { measureDuration } from './measure-duration.ts'
import type { Media } from './media.ts'
import { parseProbe } from './parse-probe.ts'
import { planAnimation } from './plan-animation.ts'
import { planCompress, targetOf } from './plan-compress.ts'
import { planConvert } from './plan-convert.ts'
import { planCrop } from './plan-crop.ts'
import { planFrames } from './plan-frames.ts'
import { planSplit } from './plan-split.ts'
import { planThumbnail } from './plan-thumbnail.ts'
import { planTrim } from './plan-trim.ts'
import { planWatermark } from './plan-watermark.ts'
import { probeStep } from './probe.ts'
import { playedMedia, synthesizeStep } from './synthesize.ts'
import { ffmpegTool } from './tool.ts'

/** Converts audio and video with FFmpeg. Every file is probed before its plan is made. */
export const ffmpeg: Engine = {
  id: 'ffmpeg',
  family: 'av',
  tools: [ffmpegTool],
  cost: { startS: 0.5, perMiBS: 1, from: { video: { startS: 1, perMiBS: 2.5 } } },
  abilities,

  plan(request) {
    const { sources, to } = request
    const [source, ...others] = sources
    // The worker plans each file separately here, because this engine never combines files.
    if (source === undefined || others.length > 0) return failure('unsupported', { text: 'Only one file is allowed.' })
    const options = checkPlanOptions(abilities, request, [source])
    if (isFailure(options)) return options
    if (source.format !== 'mid') return planProbe(request, source, options)
    const played = made({ source }, 'played', '.wav')
    return {
      kind: 'plan',
      steps: [synthesizeStep(source, played)],
      outputs: [{ file: made({ source }, 'out', `.${to}`), format: to, source: 0 }],
      warnings: [],
      // The wave file was just created here, so it needs no probe.
      next: ({ sizes }) => {
        const size = sizes[played] ?? 0
        const media = playedMedia(size)
        if (isFailure(media)) return media
        const job = { source: { ...source, file: played, format: 'wav', size }, to, media }
        return planFor(request.operation, { ...job, options: options.effective, warnings: options.warnings })
      },
    }
  },
}

function planProbe(request: PlanRequest, source: SourceFile, options: PlanOptions<(typeof abilities)[number]>): Plan {
  const { to } = request
  return {
    kind: 'plan',
    steps: [probeStep(source)],
    outputs: [{ file: made({ source }, 'out', `.${to}`), format: to, source: 0 }],
    warnings: options.warnings,
    next: ({ stdout }) => planProbed(request, { source, options, answer: stdout[0] ?? '' }),
  }
}

interface Probed {
  readonly source: SourceFile
  readonly options: PlanOptions<(typeof abilities)[number]>
  readonly answer: string
}

function planProbed({ operation, to, roles }: PlanRequest, { source, options, answer }: Probed): Plan | Failure {
  const media = parseProbe(answer)
  if (isFailure(media)) return media
  const isWave = drawsSound.has(operation) && media.video === undefined
  const refused = judgeMedia(media, !isWave && !Object.hasOwn(audioContainers, to))
  if (refused !== undefined) return refused
  const overlay = roles?.overlay
  const job = { source, to, media, options: options.effective, warnings: [], overlay }
  const plan = (known: Media) => planFor(operation, { ...job, media: known })
  return media.seconds === undefined && needsDuration(operation, job) ? measureDuration(job, plan) : plan(media)
}

function needsDuration(operation: ProcessingOperation, job: MediaJob): boolean {
  const planner = planners[operation]
  if (planner === planSplit) return (job.options.by ?? 'time') === 'time'
  return planner === planCompress && targetOf(job) !== undefined
}

/** Operations that create an image even for audio without video. */
const drawsSound: ReadonlySet<ProcessingOperation> = new Set(['thumbnail'])

function planFor(operation: ProcessingOperation, job: MediaJob): Plan | Failure {
  return (planners[operation] ?? planConversion)(job)
}

const planners: Partial<Record<ProcessingOperation, (job: MediaJob) => Plan | Failure>> = {
  compress: planCompress,
  crop: planCrop,
  split: planSplit,
  thumbnail: planThumbnail,
  trim: planTrim,
  watermark: planWatermark,
}

function planConversion(job: MediaJob): Plan | Failure {
  if (job.to === 'gif' || job.to === 'webp') return planAnimation(job)
  if (job.to === 'jpg' || job.to === 'png') return planFrames(job)
  return planConvert(job)
}
