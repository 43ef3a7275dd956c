import { type Failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Engine, Plan, PlanRequest, SourceFile, Step } from '../engine.ts'
import { checkPlanOptions, warningsOf } from '../plan-options.ts'
import { pictureCall, toParams } from '../vips/picture-call.ts'
import { abilities } from './abilities.ts'
import { decode } from './decode.ts'
import { type Decoder, findDecoder } from './decoders.ts'
import { encode } from './encode.ts'
import { findEncoder, type Writable } from './encoders.ts'
import { probeStep, readProbe } from './probe.ts'

type Params = ReturnType<typeof toParams>

/** One source on its way: what is asked for, and who reads it first where libvips cannot. */
interface Job {
  readonly n: number
  readonly source: SourceFile
  readonly params: Params
  readonly decoder: Decoder | undefined
}

/** Pictures beyond libvips: ImageMagick, libjxl and LibRaw read and write them, libvips does all between. */
export const magick: Engine = {
  id: 'magick',
  abilities,

  plan(request) {
    const { sources, to } = request
    const parts = allOrFailure(sources.map((source) => checkPlanOptions(abilities, request, [source])))
    if (isFailure(parts)) return parts
    const jobs = parts.map((part, n) => toJob(sources[n] as SourceFile, n, toParams(part)))
    const outputs = sources.map((_, source) => ({ file: `out-${source}.${to}`, format: to, source }))
    const probed = jobs.filter(({ decoder }) => decoder !== undefined)
    const probes = probed.flatMap(({ decoder, source }) => (decoder ? [probeStep(decoder, source.file)] : []))
    const warnings = warningsOf(parts)
    if (probes.length === 0)
      return { kind: 'plan', steps: jobs.flatMap((job) => finish(job, to, job.source)), outputs, warnings }
    return {
      kind: 'plan',
      steps: probes,
      outputs,
      warnings,
      next: ({ stdout }) => planWork(jobs, to, (job) => stdout[probed.indexOf(job)] ?? ''),
    }
  },
}

function toJob(source: SourceFile, n: number, params: Params): Job {
  return { n, source, params, decoder: findDecoder(source.format) }
}

function planWork(jobs: readonly Job[], to: PlanRequest['to'], foundOf: (job: Job) => string): Plan | Failure {
  const done = allOrFailure(jobs.map((job) => planJob(job, to, foundOf(job))))
  if (isFailure(done)) return done
  const outputs = jobs.map(({ n }) => ({ file: `out-${n}.${to}`, format: to, source: n }))
  return { kind: 'plan', steps: done.flatMap(({ steps }) => steps), outputs, warnings: warningsOf(done) }
}

interface Work {
  readonly steps: readonly Step[]
  readonly warnings: readonly string[]
}

function planJob(job: Job, to: string, found: string): Work | Failure {
  const { decoder, source, n, params } = job
  if (decoder === undefined) return { steps: finish(job, to, source), warnings: [] }
  const probe = readProbe(decoder, found)
  if (isFailure(probe)) return probe
  const { page } = params
  const decoded = decode({
    decoder,
    file: source.file,
    out: `mid-${n}`,
    probe,
    isDeep: findEncoder(to)?.isDeep === true,
    ...(typeof page === 'number' && { page }),
  })
  if (isFailure(decoded)) return decoded
  return { steps: [decoded.step, ...finish(job, to, decoded)], warnings: decoded.warnings }
}

/** The steps from a picture libvips reads to the final file. */
function finish({ n, params: given }: Job, to: string, input: { file: string; format: string }): readonly Step[] {
  const { page: _, ...params } = given
  const out = `out-${n}.${to}`
  const encoder = findEncoder(to)
  if (encoder === undefined) {
    return [pictureCall({ op: 'convert', inputs: [input], output: { file: out, format: to }, params })]
  }
  const ready = `ready-${n}.png`
  const { width, height, fit, rotate, strip, background } = params
  const look = { width, height, fit, rotate, strip, background, compression_level: 1 }
  const shaped = pictureCall({
    op: 'convert',
    inputs: [input],
    output: { file: ready, format: 'png' },
    params: { ...defined(look), flatten: encoder.isOpaque, ...(to === 'ico' && { max_side: encoder.maxSide }) },
  })
  return [shaped, encode(to as Writable, { file: ready, out, params })]
}

function defined(params: Readonly<Record<string, Params[string] | undefined>>): Params {
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
