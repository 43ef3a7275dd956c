import { type Failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Engine, JsonObject, Plan, PlannedOutput, PlanRequest, SourceFile, Step } from '../engine.ts'
import { checkPlanOptions, warningsOf } from '../plan-options.ts'
import { toParams } from '../vips/picture-call.ts'
import { abilities } from './abilities.ts'
import { decode } from './decode.ts'
import { type Decoder, findDecoder } from './decoders.ts'
import { encode } from './encode.ts'
import { findEncoder, type Writable } from './encoders.ts'
import { exifFile, exifStep, keepsExif } from './exif.ts'
import { finish, readyFile, shape } from './finish.ts'
import { planSizeSearch } from './fit-size.ts'
import { probeStep, readProbe } from './probe.ts'

/** One source on its way: what is asked for, and who reads it first where libvips cannot. */
interface Job {
  readonly n: number
  readonly source: SourceFile
  readonly params: JsonObject
  readonly decoder: Decoder | undefined
  readonly operation: string
  readonly to: string
}

/** Pictures beyond libvips: ImageMagick, libjxl and LibRaw read and write them, libvips does all between. */
export const magick: Engine = {
  id: 'magick',
  abilities,

  plan(request) {
    const parts = allOrFailure(request.sources.map((source) => checkPlanOptions(abilities, request, [source])))
    if (isFailure(parts)) return parts
    const jobs = request.sources.map((source, n) => toJob(request, source, { n, params: toParams(parts[n] ?? empty) }))
    const warnings = warningsOf(parts)
    const probed = jobs.flatMap(({ decoder, source, n }) =>
      decoder ? [{ n, step: probeStep(decoder, source.file) }] : [],
    )
    const planned = (stdout: readonly string[]) => {
      return planWork(jobs, ({ n }) => stdout[probed.findIndex((one) => one.n === n)] ?? '')
    }
    if (probed.length > 0) {
      const steps = probed.map(({ step }) => step)
      return { kind: 'plan', steps, outputs: jobs.map(outputOf), warnings, next: ({ stdout }) => planned(stdout) }
    }
    const plan = planned([])
    return isFailure(plan) ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] }
  },
}

const empty = { descriptors: [], effective: {} }

function toJob({ operation, to }: PlanRequest, source: SourceFile, { n, params }: Pick<Job, 'n' | 'params'>): Job {
  return { n, source, params, decoder: findDecoder(source.format), operation, to }
}

function outputOf({ n, to, operation, source }: Job): PlannedOutput {
  const output = { file: `out-${n}.${to}`, format: to, source: n }
  return operation === 'compress' ? { ...output, unlessSmallerThan: source.file } : output
}

function planWork(jobs: readonly Job[], foundOf: (job: Job) => string): Plan | Failure {
  const [only] = jobs
  if (only !== undefined && jobs.length === 1 && typeof only.params.target_size === 'number') {
    return planTarget(only, only.params.target_size, foundOf(only))
  }
  const done = allOrFailure(jobs.map((job) => planJob(job, foundOf(job))))
  if (isFailure(done)) return done
  return {
    kind: 'plan',
    steps: done.flatMap(({ steps }) => steps),
    outputs: jobs.map(outputOf),
    warnings: warningsOf(done),
  }
}

interface Work {
  readonly steps: readonly Step[]
  readonly warnings: readonly string[]
}

/** A picture libvips reads: the source itself, or what its decoder will make of it. */
interface Opened extends Work {
  readonly input: { readonly file: string; readonly format: string }
  readonly params: JsonObject
}

function planJob(job: Job, found: string): Work | Failure {
  const opened = open(job, found)
  if (isFailure(opened)) return opened
  const { steps, warnings, input, params } = opened
  return { steps: [...steps, ...finish({ ...job, input, params })], warnings }
}

function open({ decoder, source, n, params, to }: Job, found: string): Opened | Failure {
  if (decoder === undefined) return { input: source, params, steps: [], warnings: [] }
  const probe = readProbe(decoder, found)
  if (isFailure(probe)) return probe
  const { page, ...rest } = params
  const isDeep = findEncoder(to)?.isDeep === true || params.depth === '16'
  const asked = typeof page === 'number' ? { page } : {}
  const decoded = decode({ decoder, file: source.file, out: `mid-${n}`, probe, isDeep, ...asked })
  if (isFailure(decoded)) return decoded
  const { step, file, format, warnings } = decoded
  const exif = keepsExif(params, source.format, to)
    ? exifStep(source.format === 'jxl' ? decoded : source, n)
    : undefined
  // A decoder that took the picture asked for leaves a file of one. (Of a PDF, `page` is the size of its pages.)
  const kept = 'page' in asked ? rest : params
  if (exif === undefined) return { input: { file, format }, params: kept, steps: [step], warnings }
  return { input: { file, format }, params: { ...kept, exif: exifFile(n) }, steps: [step, exif], warnings }
}

function planTarget(job: Job, limit: number, found: string): Plan | Failure {
  const opened = open(job, found)
  if (isFailure(opened)) return opened
  const { n, to } = job
  const out = `out-${n}.${to}`
  const { input, params, warnings } = opened
  const search = planSizeSearch({
    limit,
    file: out,
    encodeAt: (quality) => encode(to as Writable, { file: readyFile(n), out, params: { ...params, quality } }),
    end: { outputs: [outputOf(job)], warnings },
  })
  return { ...search, steps: [...opened.steps, shape({ ...job, input, params }), ...search.steps] }
}
