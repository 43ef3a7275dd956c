import { type Failure, failure, isFailure } from '@lathe/domain'
import type { CallStep, JsonObject, Plan, PlanRequest, SourceFile } from '../engine.ts'
import { drawPages } from '../pages/draw.ts'
import { openPdf } from '../pages/open-pdf.ts'
import { planAfter } from '../pages/plan-after.ts'
import type { RasterFormat } from '../pages/raster-step.ts'
import { checkOneSource } from '../plan-options.ts'
import { abilities, type DocumentOptions, rasterFormats } from './abilities.ts'
import { findReader, findWriter, type OfficeFormat } from './formats.ts'
import { officeStepLimits } from './limits.ts'
import { toRequest } from './request.ts'

/** Plans the conversion of a document with LibreOffice. Images of its pages are drawn from a PDF. */
export function planDocument(request: PlanRequest): Plan | Failure {
  const checked = checkOneSource(abilities, request)
  if (isFailure(checked)) return checked
  const reader = findReader(checked.source.format)
  if (reader === undefined) return failure('unsupported')
  const plan = planOne(request, checked.source, reader, checked.effective)
  return isFailure(plan) ? plan : { ...plan, warnings: [...checked.warnings, ...plan.warnings] }
}

function planOne(
  { to }: PlanRequest,
  source: SourceFile,
  reader: OfficeFormat,
  options: DocumentOptions,
): Plan | Failure {
  const raster = rasterFormats.find((format) => format === to)
  if (raster) return planPictures(source, reader, raster, options)
  const writer = to === 'pdf' ? 'pdf' : findWriter(reader.program, to)
  if (writer === undefined) return failure('unsupported')
  const file = `out-0.${to}`
  const step = call(toRequest(source, reader, { file, writer }, options), file)
  return { kind: 'plan', steps: [step], outputs: [{ file, format: to, source: 0 }], warnings: [] }
}

function planPictures(source: SourceFile, reader: OfficeFormat, to: RasterFormat, options: DocumentOptions): Plan {
  const file = 'pages-0.pdf'
  // The option `pages` is applied when the pages are drawn, because only then their number is known.
  const { pages, ...rest } = options
  const before = call(toRequest(source, reader, { file, writer: 'pdf' }, rest), file)
  const drawn = openPdf({ ...source, file, format: 'pdf' }, undefined, (pdf) => drawPages(pdf, to, options))
  const outputs = [{ file: to === 'tiff' ? 'out-0.tiff' : `out-0-*.${to}`, format: to, source: 0 }]
  return { ...planAfter([before], drawn), outputs }
}

function call(request: JsonObject, file: string): CallStep {
  return { kind: 'call', runner: 'office', request, outputs: [file], limits: officeStepLimits }
}
