import { type Failure, isFailure } from '@lathe/domain'
import { ended } from '../alongside.ts'
import type { Plan, PlannedOutput, SourceFile } from '../engine.ts'
import { planAfter } from '../pages/plan-after.ts'
import { type Mark, stampStep } from '../watermark/stamp.ts'
import { findDecoders, findRescuers } from './decoders.ts'
import { encode } from './encode.ts'
import { findEncoder, type Writable } from './encoders.ts'
import { finishStep, readyFile } from './finish.ts'
import { planSizeSearch } from './fit-size.ts'
import { type Opened, openPicture } from './open-picture.ts'
import type { PictureParams } from './picture-call.ts'

/** One source and the request for it. */
export interface Job {
  readonly n: number
  readonly source: Pick<SourceFile, 'file' | 'format'>
  readonly params: PictureParams
  readonly operation: string
  readonly to: string
  /** The watermark, if one is requested. */
  readonly mark?: Mark
  /** The name of the result; `out-0.png` if not given. */
  readonly out?: string
}

/** Plans one image from its file to the result; other engines use it too. */
export function planPicture(job: Job): Plan | Failure {
  const plan = planAlone(job)
  if (isFailure(plan) || job.operation !== 'watermark' || !job.mark) return plan
  return planAfter([stampStep(job.mark)], plan)
}

function planAlone(job: Job): Plan | Failure {
  const { source } = job
  const decoders = findDecoders(source.format)
  if (decoders === undefined) return planReadable(job)
  const outputs = [outputOf(job)]
  return openPicture({ ...job, outputs }, decoders, (opened) => finish(job, opened))
}

// libvips tries first. If it cannot read the file, another decoder opens it, and libvips continues with its result.
function planReadable(job: Job): Plan | Failure {
  const { source, params } = job
  const rescuers = findRescuers(source.format)
  if (rescuers === undefined) return finish(job, { input: source, params })
  const outputs = [outputOf(job)]
  const first = finishStep({ ...job, input: source, params, rescue: true })
  return {
    kind: 'plan',
    steps: [first],
    outputs,
    warnings: [],
    next({ results: [answer] }) {
      if (answer?.undecoded === undefined) return afterShape(job, params)
      return openPicture({ ...job, outputs }, rescuers, (opened) => finish(job, opened))
    },
  }
}

/** Operations whose result is useless unless it is smaller. */
const mustShrink: ReadonlySet<string> = new Set(['compress'])

function outputOf({ n, to, operation, source, out = `out-${n}.${to}` }: Job): PlannedOutput {
  const output = { file: out, format: to, source: n }
  return mustShrink.has(operation) && findEncoder(to) ? { ...output, unlessSmallerThan: source.file } : output
}

function finish(job: Job, { input, params }: Opened): Plan {
  return planAfter([finishStep({ ...job, input, params })], afterShape(job, params))
}

/** Plans the steps after those of libvips. */
function afterShape(job: Job, params: PictureParams): Plan {
  const { n, to, out = `out-${n}.${to}` } = job
  const outputs = [outputOf(job)]
  if (findEncoder(to) === undefined) return ended(outputs)
  const encodeWith = (more: PictureParams) =>
    encode(to as Writable, { file: readyFile(n), out, params: { ...params, ...more } })
  if (params.target_size === undefined) return { ...ended(outputs), steps: [encodeWith({})] }
  return planSizeSearch({
    limit: params.target_size,
    file: out,
    encodeAt: (quality) => encodeWith({ quality }),
    end: { outputs, warnings: [] },
  })
}
