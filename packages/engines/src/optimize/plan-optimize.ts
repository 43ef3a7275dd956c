import { type Failure, failure } from '@lathe/domain'
import { ended } from '../alongside.ts'
import type { CallStep, Findings, JsonObject, Plan, SourceFile } from '../engine.ts'
import { findDecoders, findRescuers } from '../pictures/decoders.ts'
import { openPicture } from '../pictures/open-picture.ts'
import type { PictureParams } from '../pictures/picture-call.ts'
import { optimizeLimits, optimizeStepLimits } from './limits.ts'
import { type WebFormat, webFormats } from './options.ts'

interface Job {
  readonly source: SourceFile
  readonly formats: readonly WebFormat[]
  readonly params: PictureParams
}

type Input = Pick<SourceFile, 'file' | 'format'>

/** The format is known only after the runner has chosen it. */
const out = 'best-0.bin'

const isLarger = 'The result is larger than the input: the formats of the web need more for this image.'

/** Plans one image. libvips tries first; another decoder opens what libvips cannot read. */
export function planOptimize(job: Job): Plan | Failure {
  const { source } = job
  const decoders = findDecoders(source.format)
  if (decoders) return decodeFirst(job, decoders)
  const rescuers = findRescuers(source.format)
  return {
    ...choose(job, source, rescuers !== undefined),
    next(found) {
      const isUnread = found.results[0]?.undecoded !== undefined
      return isUnread && rescuers ? decodeFirst(job, rescuers) : finish(job, found)
    },
  }
}

function decodeFirst(job: Job, decoders: NonNullable<ReturnType<typeof findDecoders>>): Plan | Failure {
  const { source, params } = job
  // WebP keeps all frames of an animation.
  const opening = { source, n: 0, to: 'webp', params, outputs: [promised(source.format)] }
  return openPicture(opening, decoders, ({ input }) => ({
    ...choose(job, input, false),
    next: (found) => finish(job, found),
  }))
}

function choose({ source, formats, params }: Job, { file, format }: Input, rescue: boolean): Plan {
  // An input in an allowed format may stay unchanged.
  const original = formats.some((allowed) => allowed === source.format) ? { original: source.file } : {}
  const request: JsonObject = {
    op: 'optimize',
    inputs: [{ file, format }],
    outputs: [{ file: out, format: 'bin' }],
    params: { ...params, ...original },
    limits: optimizeLimits,
    ...(rescue && { rescue }),
  }
  const step: CallStep = { kind: 'call', runner: 'vips', request, outputs: [out], limits: optimizeStepLimits }
  return { kind: 'plan', steps: [step], outputs: [promised(source.format)], warnings: [] }
}

const promised = (format: string) => ({ file: out, format, source: 0 })

/** Returns what the runner chose, or the input where that is allowed and no larger. */
function finish({ source, formats }: Job, { results: [answer], sizes }: Findings): Plan | Failure {
  const [before, after] = [sizes[source.file] ?? source.size, sizes[out] ?? 0]
  const mayStay = answer?.isResized !== true && formats.some((format) => format === source.format)
  if (mayStay && before <= after) return ended([{ ...promised(source.format), unlessSmallerThan: source.file }])
  const format = webFormats.find((one) => one === answer?.format)
  if (format === undefined) return failure('engine_crashed', { detail: 'the runner chose no format' })
  return ended([promised(format)], after > before ? [isLarger] : [])
}
