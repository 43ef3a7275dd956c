import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Engine, Plan, PlanRequest, SourceFile } from '../engine.ts'
import { checkPlanOptions } from '../plan-options.ts'
import { abilities } from './abilities.ts'
import { compress } from './compress.ts'
import { crop } from './crop.ts'
import { drawPages } from './draw.ts'
import { toHtml, toSvg, toText } from './export.ts'
import { merge } from './merge.ts'
import { type OpenPdf, openPdf } from './open-pdf.ts'
import { postscriptFormats, runPostscript } from './postscript.ts'
import type { RasterFormat } from './raster-step.ts'
import { recodedFormats, recodePages } from './recode.ts'
import { rewrite, trim } from './rewrite.ts'
import { officeTargets, toOffice } from './to-office.ts'

type Options = Readonly<Record<string, unknown>>

/** PDF by poppler, qpdf, MuPDF, Ghostscript and Tesseract. */
export const pdf: Engine = {
  id: 'pdf',
  abilities,

  plan(request) {
    if (request.operation === 'merge') return planMerge(request)
    const [source] = request.sources
    if (source === undefined || request.sources.length > 1) return failure('unsupported')
    const checked = checkPlanOptions(abilities, request, [source])
    if (isFailure(checked)) return checked
    const { effective, warnings } = checked
    const password = effective.password === undefined ? undefined : String(effective.password)
    const open = (file: SourceFile) => openPdf(file, password, (opened) => planOne(request, file, opened, effective))
    const plan = isPostscript(source) ? runPostscript(source, open) : open(source)
    return { ...plan, warnings }
  },
}

function isPostscript({ format }: SourceFile): boolean {
  return postscriptFormats.some((one) => one === format)
}

function planMerge(request: PlanRequest): Plan | Failure {
  const checked = checkPlanOptions(abilities, request, request.sources)
  if (isFailure(checked)) return checked
  const plan = merge({ ...request, options: checked.effective })
  return isFailure(plan) ? plan : { ...plan, warnings: checked.warnings }
}

function planOne(
  { operation, to }: PlanRequest,
  source: SourceFile,
  opened: OpenPdf,
  options: Options,
): Plan | Failure {
  if (operation === 'compress') return compress(opened, source.file, options)
  if (operation === 'crop') return crop(opened, options)
  if (operation === 'trim') return trim(opened, options)
  const planner = planners[to]
  return planner === undefined ? drawPages(opened, to as RasterFormat, options) : planner(options, opened)
}

const planners: Readonly<Record<string, ((options: Options, opened: OpenPdf) => Plan | Failure) | undefined>> = {
  html: toHtml,
  pdf: (options, opened) => rewrite(opened, options),
  svg: toSvg,
  txt: toText,
  ...Object.fromEntries(recodedFormats.map((to) => [to, recodePages.bind(undefined, to)])),
  ...Object.fromEntries(officeTargets.map((to) => [to, toOffice.bind(undefined, to)])),
}
