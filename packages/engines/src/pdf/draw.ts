import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import type { OpenPdf } from './open-pdf.ts'
import { type DrawJob, drawSteps, outputName, type RasterFormat } from './raster-step.ts'

/** Plans the pages of a document as pictures. */
export function drawPages(
  { file, info, number }: OpenPdf,
  format: RasterFormat,
  options: Readonly<Record<string, unknown>>,
): Plan | Failure {
  const { pages, dpi, width, height, quality, gray, transparent } = options
  const asked = { pages, dpi, width, height, quality, isGray: gray, isTransparent: transparent }
  const out = `out-${number}`
  // Every option was checked against its descriptor, so each has the type of its field.
  const job = { file, format, out, ...asked } as DrawJob
  const drawn = drawSteps(job, info)
  if (isFailure(drawn)) return drawn
  return { kind: 'plan', ...drawn, outputs: [{ file: outputName(format, out), format, source: 0 }] }
}
