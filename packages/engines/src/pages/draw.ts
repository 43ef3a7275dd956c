import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import type { OpenPdf } from './open-pdf.ts'
import { type DrawJob, drawSteps, outputName, type RasterFormat } from './raster-step.ts'

type Options = Readonly<Record<string, unknown>>

/** Plans the pages of a document as pictures. */
export function drawPages(opened: OpenPdf, format: RasterFormat, options: Options): Plan | Failure {
  const job = drawJob(opened, format, options)
  const drawn = drawSteps(job, opened.info)
  if (isFailure(drawn)) return drawn
  return { kind: 'plan', ...drawn, outputs: [{ file: outputName(format, job.out), format, source: 0 }] }
}

/** What to draw, from the options of a request. */
export function drawJob({ file, number }: OpenPdf, format: RasterFormat, options: Options): DrawJob {
  const { pages, dpi, width, height, quality, gray, transparent } = options
  const asked = { pages, dpi, width, height, quality, isGray: gray, isTransparent: transparent }
  // Every option was checked against its descriptor, so each has the type of its field.
  return { file, format, out: `out-${number}`, ...asked } as DrawJob
}
