import { type Failure, failure, isFailure, nameFile } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import { aboutFile, alongside, andThen } from '../alongside.ts'
import type { Plan, SourceFile, Step } from '../engine.ts'
import { listPages } from '../page-ranges.ts'
import { drawSteps } from '../pages/raster-step.ts'
import { findDecoders } from '../pictures/decoders.ts'
import { pictureLimits } from '../pictures/limits.ts'
import { pictureCall, toParams } from '../pictures/picture-call.ts'
import { planPicture } from '../pictures/plan-picture.ts'
import { framePictureOptions } from './merge-options.ts'
import { type MergeRequest, mergePart } from './merge-part.ts'
import { type OpenPart, openParts } from './open-parts.ts'
import { pageFiles } from './page-files.ts'
import type { PdfOptions } from './pdf-options.ts'

/** Plans an animation of PDFs and images: each page and each image is a frame. */
export function mergeToGif(request: MergeRequest): Plan | Failure {
  const { sources, options } = request
  const parts = allOrFailure(sources.flatMap(({ format }, n) => (format === 'pdf' ? [mergePart(request, n)] : [])))
  if (isFailure(parts)) return parts
  const decoding = allOrFailure(
    sources.flatMap((source, n) => (isDecoded(source) ? [planStill(source, n, options)] : [])),
  )
  if (isFailure(decoding)) return decoding
  const readable = sources.map((source, n) =>
    isDecoded(source) ? { ...source, file: stillFile(n), format: 'png' } : source,
  )
  return andThen(alongside(decoding), () => openParts(parts, options, (open) => animate(open, readable, options)))
}

// Formats that libvips does not read become PNG first.
const isDecoded = ({ format }: SourceFile) => findDecoders(format) !== undefined
const stillFile = (n: number) => `still-${n}.png`

function planStill(source: SourceFile, n: number, { strict = false }: PdfOptions): Plan | Failure {
  const plan = planPicture({ n, source, params: { strict }, operation: 'convert', to: 'png', out: stillFile(n) })
  return isFailure(plan) ? nameFile(`File ${n + 1}`, plan) : aboutFile(n + 1, plan)
}

const output = { file: 'out-0.gif', format: 'gif' }

function animate(parts: readonly OpenPart[], sources: readonly SourceFile[], options: PdfOptions): Plan | Failure {
  const frames = sources.flatMap((source, n) =>
    framesOf(
      source,
      parts.find(({ number }) => number === n + 1),
    ),
  )
  // Checked before a page is drawn: a book has more pages than an animation may have frames.
  if (frames.length > pictureLimits.frames) {
    const text = `The result would have ${frames.length} frames; ${pictureLimits.frames} are allowed.`
    return failure('limit_exceeded', { text })
  }
  const drawn = allOrFailure(parts.map((part) => drawPart(part, options)))
  if (isFailure(drawn)) return drawn
  const params = toParams({ descriptors: framePictureOptions, effective: options })
  const steps: readonly Step[] = drawn.flatMap(({ steps }) => steps)
  const join = { ...pictureCall({ op: 'merge', inputs: frames, output, params }), weight: frames.length }
  return {
    kind: 'plan',
    steps: [...steps, join],
    outputs: [output],
    warnings: drawn.flatMap(({ warnings }) => warnings),
  }
}

function framesOf({ file, format }: SourceFile, part: OpenPart | undefined) {
  if (part === undefined) return [{ file, format }]
  const { fileOf } = filesOf(part)
  return listPages(part.ranges).map((page) => ({ file: fileOf(page, 'png'), format: 'png' }))
}

function filesOf({ number, info }: OpenPart) {
  return pageFiles(String(number), info.pages.length)
}

function drawPart(part: OpenPart, { dpi }: PdfOptions) {
  const { file, ranges, info } = part
  const pages = ranges.map(({ first, last }) => `${first}-${last}`).join()
  const size = dpi === undefined ? {} : { dpi }
  return drawSteps({ file, format: 'png', out: filesOf(part).out, options: { pages, ...size } }, info)
}
