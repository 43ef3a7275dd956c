import { type Failure, failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Plan, PlanRequest, SourceFile, Step } from '../engine.ts'
import { pictureLimits } from '../vips/limits.ts'
import { pictureCall, toParams } from '../vips/picture-call.ts'
import { framePictureOptions } from './merge-options.ts'
import { mergePart } from './merge-part.ts'
import { type OpenPart, openParts } from './open-parts.ts'
import { pageFiles } from './page-files.ts'
import { listPages } from './page-ranges.ts'
import { drawSteps } from './raster-step.ts'

type Options = Readonly<Record<string, unknown>>

/** Plans an animation of PDFs and pictures: each page and each picture is a frame. */
export function mergeToGif(request: PlanRequest): Plan | Failure {
  const { sources, options } = request
  const parts = allOrFailure(sources.flatMap(({ format }, n) => (format === 'pdf' ? [mergePart(request, n)] : [])))
  return isFailure(parts) ? parts : openParts(parts, options.pages, (open) => animate(open, sources, options))
}

const output = { file: 'out-0.gif', format: 'gif' }

function animate(parts: readonly OpenPart[], sources: readonly SourceFile[], options: Options): Plan | Failure {
  const frames = sources.flatMap((source, n) =>
    framesOf(
      source,
      parts.find(({ number }) => number === n + 1),
    ),
  )
  // Before a page is drawn: a book has more of them than an animation may have frames.
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

function drawPart(part: OpenPart, { dpi }: Options) {
  const { file, ranges, info } = part
  const pages = ranges.map(({ first, last }) => `${first}-${last}`).join()
  const size = dpi === undefined ? {} : { dpi: Number(dpi) }
  return drawSteps({ file, format: 'png', out: filesOf(part).out, pages, ...size }, info)
}
