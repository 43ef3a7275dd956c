import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import type { OpenPdf } from './open-pdf.ts'
import type { DrawOptions } from './options.ts'
import { type DrawJob, drawSteps, outputName, type RasterFormat } from './raster-step.ts'

/** Plans the pages of a document as images. */
export function drawPages(opened: OpenPdf, format: RasterFormat, options: DrawOptions): Plan | Failure {
  const job = drawJob(opened, format, options)
  const drawn = drawSteps(job, opened.info)
  if (isFailure(drawn)) return drawn
  return { kind: 'plan', ...drawn, outputs: [{ file: outputName(format, job.out), format, source: 0 }] }
}

/** The draw job for the options of a request. */
export function drawJob({ file, number }: OpenPdf, format: RasterFormat, options: DrawOptions): DrawJob {
  return { file, format, out: `out-${number}`, options }
}
