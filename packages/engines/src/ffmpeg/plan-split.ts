import { type Failure, failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import { ended } from '../alongside.ts'
import type { Plan, Step } from '../engine.ts'
import { mediaLimits } from '../media/limits.ts'
import { type MediaJob, made, toSpan } from './job.ts'
import { warnOfLostTracks } from './lost-tracks.ts'
import { toMediaSettings } from './media-settings.ts'
import { cutSteps } from './plan-trim.ts'
import { runStep } from './run-step.ts'
import { secondsArgument, toSeconds } from './times.ts'

/** The shortest part in seconds: a shorter one may contain no frame. */
const shortest = 0.1

/** Plans several files from one recording. Nothing is lost: each part begins where the previous one ends. */
export function planSplit(asked: MediaJob): Plan | Failure {
  const job = warnOfLostTracks(asked)
  const { by = 'time', points } = job.options
  if (by === 'silence') return planAtSilence(job)
  const cuts = by === 'points' ? readPoints(job, points) : everySoOften(job)
  return isFailure(cuts) ? cuts : planParts(job, cuts)
}

function everySoOften({ media, options }: MediaJob): readonly number[] | Failure {
  const each = options.seconds_per_file ?? 600
  if (media.seconds === undefined) {
    return failure('unsupported', { text: 'The duration of the file is unknown. Split it by points or by silence.' })
  }
  const count = Math.ceil((media.seconds - shortest) / each)
  return Array.from({ length: Math.max(0, count - 1) }, (_, n) => (n + 1) * each)
}

function readPoints({ media }: MediaJob, points: string | undefined): readonly number[] | Failure {
  if (points === undefined) {
    return failure('unsupported', { text: 'The option points is required to split by points, such as 1:30,4:05.' })
  }
  const cuts = points
    .split(',')
    .map(toSeconds)
    .toSorted((a, b) => a - b)
  const total = media.seconds ?? Number.POSITIVE_INFINITY
  const last = cuts.at(-1) ?? 0
  if (last > total - shortest) {
    const text = `The option points names ${secondsArgument(last)} s, and the file is ${secondsArgument(total)} s long.`
    return failure('unsupported', { text })
  }
  if (cuts.some((cut, n) => cut - (cuts[n - 1] ?? 0) < shortest)) {
    const text = `The points must be at least ${shortest} s after the beginning and after each other.`
    return failure('unsupported', { text })
  }
  return cuts
}

/** Detects silence first, then splits. */
function planAtSilence(job: MediaJob): Plan | Failure {
  const [audio] = job.media.audio
  const span = toSpan(job)
  if (isFailure(span)) return span
  if (audio === undefined) return failure('unsupported', { text: 'The file has no audio.' })
  const level = job.options.silence_level ?? -40
  const pause = job.options.silence_seconds ?? 1
  const print = ['silence_end', 'silence_duration'].map((key) => `ametadata=print:key=lavfi.${key}:file=-`)
  const filters = [`silencedetect=noise=${level}dB:d=${secondsArgument(pause)}`, ...print].join(',')
  const listen = {
    ...runStep(job, { span, args: ['-map', `0:${audio.index}`, '-af', filters], muxer: 'null', weight: 0.3 }),
    capture: true,
  }
  return {
    kind: 'plan',
    steps: [listen],
    outputs: [partsOf(job)],
    warnings: job.warnings,
    next: ({ stdout }) => {
      const cuts = findPauses(stdout[0] ?? '', job.media.seconds)
      const warnings =
        cuts.length > 0 ? [] : [`No silence of ${secondsArgument(pause)} s was found: there is one file.`]
      return planParts({ ...job, warnings }, cuts)
    },
  }
}

/** The middle of every silence except those at the beginning and the end of a recording. */
export function findPauses(report: string, seconds = Number.POSITIVE_INFINITY): readonly number[] {
  const values = (key: string) =>
    [...report.matchAll(new RegExp(`^lavfi\\.${key}=([\\d.]{1,20})$`, 'gm'))].map(([, value]) => Number(value))
  const lengths = values('silence_duration')
  return values('silence_end').flatMap((end, n) => {
    const length = lengths[n] ?? 0
    return end - length < shortest || !(end < seconds - shortest) ? [] : [end - length / 2]
  })
}

const partsOf = (job: MediaJob) => ({ file: made(job, 'out', `-*.${job.to}`), format: job.to, source: 0 })

function planParts(job: MediaJob, cuts: readonly number[]): Plan | Failure {
  if (cuts.length >= mediaLimits.parts) {
    const text = `There would be ${cuts.length + 1} files, and ${mediaLimits.parts} is the limit. Make the parts longer.`
    return failure('limit_exceeded', { text })
  }
  const settings = toMediaSettings(job.options)
  const names = [0, ...cuts].map((_, n) => made(job, 'out', `-${n + 1}.${job.to}`))
  const parts = allOrFailure(
    [0, ...cuts].map((start, n) => {
      const end = cuts[n]
      // The first part also gets a start, so that it is encoded like the others.
      const span = { ...settings, start, ...(end !== undefined && { end }) }
      return cutSteps(job, span, names[n] ?? '')
    }),
  )
  if (isFailure(parts)) return parts
  const { strict: isStrict } = job.options
  return {
    kind: 'plan',
    steps: parts.flatMap((steps, n) => (n === 0 || isStrict ? steps : steps.map(orNothing))),
    outputs: [partsOf(job)],
    warnings: job.warnings,
    next: ({ failed = [] }) => {
      const isThere = parts.map((steps, n) => !steps.some((_, i) => failed[stepsBefore(parts, n) + i]))
      const kept = names.filter((_, n) => isThere[n])
      const outputs = kept.map((file, n) => ({
        ...{ file, format: job.to, source: 0 },
        ...(kept.length > 1 && { number: n + 1 }),
      }))
      return ended(outputs, kept.length < names.length ? [leftOut(names.length - kept.length, names.length)] : [])
    },
  }
}

const stepsBefore = (parts: readonly Plan['steps'][], n: number) =>
  parts.slice(0, n).reduce((sum, steps) => sum + steps.length, 0)

const leftOut = (count: number, all: number) =>
  `${count} of ${all} parts could not be read and ${count === 1 ? 'was' : 'were'} left out: the file is incomplete or damaged. The option strict refuses such files.`

/**
 * The same step, but without failing on empty output: if a recording is shorter than its header claims, the last parts
 * are empty.
 */
function orNothing(step: Step): Step {
  if (step.kind !== 'process') return step
  const { readExit } = step
  return {
    ...step,
    outputs: [],
    readExit: (exit) => (readExit?.(exit) === undefined ? undefined : { hasFailed: true }),
  }
}
