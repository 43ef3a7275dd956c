import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, PlannedOutput, ProcessStep } from '../engine.ts'
import { decode } from './decode.ts'
import type { Decoder } from './decoders.ts'
import { findEncoder } from './encoders.ts'
import { exifFile, exifStep, keepsExif } from './exif.ts'
import type { PictureParams } from './picture-call.ts'
import { incompleteMark } from './pillow-step.ts'
import { needsProbe, type Probe, probeStep, readProbe } from './probe.ts'

/** An image that libvips does not read, and the request for it. */
export interface Opening {
  readonly source: { readonly file: string; readonly format: string }
  readonly n: number
  readonly to: string
  readonly params: PictureParams
  readonly outputs: readonly PlannedOutput[]
}

/** An image that libvips reads, made of one that it does not. */
export interface Opened {
  readonly input: { readonly file: string; readonly format: string }
  readonly params: PictureParams
}

/** The warning for a damaged image. */
export const incomplete =
  'The image is damaged or incomplete: parts that cannot be read are blank. The option strict refuses such files.'

const previewOnly =
  "The camera's raw data cannot be read: the preview inside the file was converted. The option strict refuses such files."

const animated = ['gif', 'webp']
const nothingKnown: Probe = { pictures: [] }

/**
 * Plans to decode an image, and then to do what `then` plans. Decoders are tried in order: if one cannot read the file,
 * the next one tries, and the failure of the last one is final.
 */
export function openPicture(
  opening: Opening,
  decoders: readonly Decoder[],
  then: (opened: Opened) => Plan | Failure,
): Plan | Failure {
  const isStrict = opening.params.strict === true
  const [decoder, ...rest] = isStrict ? decoders.filter((one) => !isMakeshift(one)) : decoders
  if (decoder === undefined) return failure('input_damaged')
  const hasMore = rest.length > 0
  const tryOthers = (found: Failure) => (hasMore ? openPicture(opening, rest, then) : found)
  if (!needsProbe(decoder)) return decodePicture({ opening, decoder, probe: nothingKnown, hasMore }, tryOthers, then)
  return {
    kind: 'plan',
    steps: [hasMore ? lenient(probeStep(decoder, opening.source.file)) : probeStep(decoder, opening.source.file)],
    outputs: opening.outputs,
    warnings: [],
    next({ stdout: [answer = ''] }) {
      const probe = readProbe(decoder, answer)
      if (isFailure(probe)) return probe.code === 'input_damaged' ? tryOthers(probe) : probe
      return decodePicture({ opening, decoder, probe, hasMore }, tryOthers, then)
    },
  }
}

// The result of these decoders is not everything that the file should contain.
function isMakeshift(decoder: Decoder): boolean {
  return (decoder.tool === 'jxl' && decoder.isPartial) || (decoder.tool === 'pillow' && decoder.isPreview)
}

interface Attempt {
  readonly opening: Opening
  readonly decoder: Decoder
  readonly probe: Probe
  readonly hasMore: boolean
}

function decodePicture(
  { opening, decoder, probe, hasMore }: Attempt,
  tryOthers: (found: Failure) => Plan | Failure,
  then: (opened: Opened) => Plan | Failure,
): Plan | Failure {
  const { source, n, to, params, outputs } = opening
  // For a PDF output, `page` is the size of its pages.
  const asked = typeof params.page === 'number' ? { page: params.page } : {}
  const decoded = decode({
    decoder,
    file: source.file,
    out: `mid-${n}`,
    probe,
    isDeep: findEncoder(to)?.isDeep === true || params.depth === '16',
    isMoving: animated.includes(to),
    isStrict: params.strict === true,
    ...asked,
  })
  if (isFailure(decoded)) return decoded
  const { step, file, format } = decoded
  const hasExif = keepsExif(params, source.format, to)
  const exif = hasExif ? [exifStep(source.format === 'jxl' ? decoded : source, n)] : []
  return {
    kind: 'plan',
    steps: [hasMore ? lenient(step) : step, ...exif],
    outputs,
    warnings: [],
    next({ stdout: [answer = ''], sizes }) {
      if (!sizes[file]) return tryOthers(failure('input_damaged', { detail: `${decoder.tool} left no file` }))
      const { page: _, ...others } = params
      const kept = 'page' in asked ? others : params
      const plan = then({ input: { file, format }, params: hasExif ? { ...kept, exif: exifFile(n) } : kept })
      if (isFailure(plan)) return plan
      const warnings = [...decoded.warnings, ...warningsOf(decoder, answer, { ...asked, format })]
      return { ...plan, warnings: [...warnings, ...plan.warnings] }
    },
  }
}

function warningsOf(
  decoder: Decoder,
  answer: string,
  { page, format }: { page?: number; format: string },
): readonly string[] {
  const isPartial = decoder.tool === 'jxl' ? decoder.isPartial : answer.includes(incompleteMark)
  const frames = Number(/^frames (\d{1,9})$/m.exec(answer)?.[1] ?? 1)
  if (decoder.tool === 'pillow' && decoder.isPreview) return [previewOnly]
  const isLoss = frames > 1 && page === undefined && format !== 'webp' && decoder.tool === 'pillow'
  return [
    ...(isPartial ? [incomplete] : []),
    ...(isLoss ? [`Only the first of the ${frames} frames or pages was kept.`] : []),
  ]
}

/**
 * The same step, which does not end the plan if the file cannot be read: `next` sees that there is no result. A limit
 * of this decoder does not end it either, since the next decoder checks sizes itself.
 */
function lenient(step: ProcessStep): ProcessStep {
  return {
    ...step,
    readExit(exit) {
      const found = step.readExit?.(exit)
      return found !== undefined && isFailure(found) ? {} : found
    },
  }
}
