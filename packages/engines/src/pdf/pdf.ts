import { type Failure, isFailure } from '@lathe/domain'
import { andThen } from '../alongside.ts'
import type { Engine, Plan, PlanRequest, SourceFile } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import { drawPages } from '../pages/draw.ts'
import { type OpenPdf, openPdf } from '../pages/open-pdf.ts'
import type { PageSize } from '../pages/probe.ts'
import { isEmpty } from '../pages/raster-scale.ts'
import type { RasterFormat } from '../pages/raster-step.ts'
import { checkOneSource, checkPlanOptions } from '../plan-options.ts'
import { abilities } from './abilities.ts'
import { compress } from './compress.ts'
import { crop } from './crop.ts'
import { djvuText } from './djvu-text.ts'
import { drawSource, isDrawn } from './draw-source.ts'
import { toHtml, toSvg, toText } from './export.ts'
import { toHocr } from './hocr.ts'
import { merge } from './merge.ts'
import { isPicture, mergePart } from './merge-part.ts'
import type { PdfOptions } from './pdf-options.ts'
import { recodedFormats, recodePages } from './recode.ts'
import { rewrite, trim } from './rewrite.ts'
import { tidyDrawn } from './tidy-drawn.ts'
import { officeTargets, toOffice } from './to-office.ts'
import { pdfTools } from './tools.ts'
import { watermark } from './watermark.ts'
import { decrypt, encrypt, flatten, leastParts, ocr, reorder, rotate, split } from './work.ts'

/** PDF, PostScript, XPS and DjVu by poppler, qpdf, MuPDF, Ghostscript, DjVuLibre and Tesseract. */
export const pdf: Engine = {
  id: 'pdf',
  family: 'pdf',
  tools: pdfTools,
  cost: { startS: 0.3, perMiBS: 0.6, to: { docx: { startS: 2, perMiBS: 3 }, xlsx: { startS: 2, perMiBS: 3 } } },
  abilities,

  plan: (request) => (byOperation[request.operation] ?? planAlone)(request),
}

const byOperation: Partial<Record<string, Engine['plan']>> = { merge: planMerge }

function planAlone(request: PlanRequest): Plan | Failure {
  const checked = checkOneSource(abilities, request)
  if (isFailure(checked)) return checked
  const { source, effective, warnings } = checked
  const plan = planSource(request, source, effective)
  return isFailure(plan) ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] }
}

function planSource(request: PlanRequest, source: SourceFile, options: PdfOptions): Plan | Failure {
  const { format } = source
  const { strict: isStrict = false, password } = options
  if (format === 'djvu' && request.to === 'txt') return djvuText(source, options)
  const countFiles = ({ info }: OpenPdf) =>
    request.operation === 'split' ? leastParts(options, info.pages.length) : countPages(options.pages, info.pages)
  const open = (file: SourceFile) =>
    openPdf(file, password, (opened) => planOne(request, file, opened, options), { isStrict, countFiles })
  if (!isDrawn(format)) return isPicture(format) ? planPicturePages(request, open) : open(source)
  const isWhole = request.to === 'pdf' && options.pages === undefined
  return drawSource({ source, format, isStrict }, isWhole ? (drawn) => tidyDrawn(drawn, open) : open)
}

/** Plans an image as the page of a PDF. */
function planPicturePages(request: PlanRequest, open: (file: SourceFile) => Plan): Plan | Failure {
  const part = mergePart({ ...request, options: {} }, 0)
  if (isFailure(part)) return part
  const [source] = request.sources
  const page = { file: part.file, format: 'pdf', size: source?.size ?? 0, filename: source?.filename ?? '' }
  return andThen(part.plan, () => open(page))
}

// Pages without a size are not counted, because programs may leave them out.
function countPages(pages: string | undefined, sizes: readonly PageSize[]): number {
  const ranges = parsePages(pages, sizes.length)
  if (isFailure(ranges)) return 0
  return sortedPages(ranges).filter((page) => !isEmpty(sizes[page - 1] ?? { width: 0, height: 0 })).length
}

function planMerge(request: PlanRequest): Plan | Failure {
  const checked = checkPlanOptions(abilities, request, request.sources)
  if (isFailure(checked)) return checked
  const plan = merge({ ...request, options: checked.effective })
  return isFailure(plan) ? plan : { ...plan, warnings: [...checked.warnings, ...plan.warnings] }
}

function planOne(
  { operation, to, roles, sources }: PlanRequest,
  source: SourceFile,
  opened: OpenPdf,
  options: PdfOptions,
): Plan | Failure {
  const work = works[operation]
  const isImage = isPicture(sources[0]?.format ?? '')
  if (work) return work(opened, options, { source, to, overlay: roles?.overlay, isImage })
  const planner = planners[to]
  return planner === undefined ? drawPages(opened, to as RasterFormat, options) : planner(options, opened)
}

/** Further arguments of an operation. */
interface Asked {
  readonly source: SourceFile
  readonly to: string
  readonly overlay: SourceFile | undefined
  /** Whether the source was an image. */
  readonly isImage: boolean
}

const works: Partial<Record<string, (opened: OpenPdf, options: PdfOptions, asked: Asked) => Plan | Failure>> = {
  compress: (opened, options, { source }) => compress(opened, source.file, options),
  crop,
  decrypt,
  encrypt,
  flatten,
  ocr: (opened, options, { to, isImage }) =>
    to === 'hocr' ? toHocr(opened, options, { isImage }) : ocr(to, opened, options),
  reorder,
  rotate,
  split,
  trim,
  watermark: (opened, options, { overlay }) => watermark(opened, options, overlay),
}

const planners: Readonly<Record<string, ((options: PdfOptions, opened: OpenPdf) => Plan | Failure) | undefined>> = {
  html: toHtml,
  pdf: (options, opened) => rewrite(opened, options),
  svg: toSvg,
  txt: toText,
  ...Object.fromEntries(recodedFormats.map((to) => [to, recodePages.bind(undefined, to)])),
  ...Object.fromEntries(officeTargets.map((to) => [to, toOffice.bind(undefined, to)])),
}
