import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import { drawJob } from '../pages/draw.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { isEmpty } from '../pages/raster-scale.ts'
import { drawSteps } from '../pages/raster-step.ts'
import { abilities as pictureAbilities } from '../pictures/abilities.ts'
import { pictureCall, toParams } from '../pictures/picture-call.ts'
import { checkPlanOptions } from '../plan-options.ts'
import { pageFiles } from './page-files.ts'
import type { PdfOptions } from './pdf-options.ts'

/** Image formats that poppler does not write: it draws PNG, and the image runner recodes that. */
export const recodedFormats = ['webp', 'avif'] as const

const nothing = { width: 0, height: 0 }

/** Plans pages as images of such a format. */
export function recodePages(to: string, options: PdfOptions, opened: OpenPdf): Plan | Failure {
  const { quality, pages } = options
  const { out, fileOf } = pageFiles(opened.number, opened.info.pages.length)
  const drawn = drawSteps({ ...drawJob(opened, 'png', options), out }, opened.info)
  const ranges = parsePages(pages, opened.info.pages.length)
  if (isFailure(drawn) || isFailure(ranges)) return isFailure(drawn) ? drawn : (ranges as Failure)
  const asked = { operation: 'convert', sources: [], to, options: quality === undefined ? {} : { quality } } as const
  const source = { file: '', format: 'png', size: 0, filename: '' }
  const checked = checkPlanOptions(pictureAbilities, asked, [source])
  if (isFailure(checked)) return checked
  const params = toParams(checked)
  const isDrawable = (page: number) => !isEmpty(opened.info.pages[page - 1] ?? nothing)
  const calls = sortedPages(ranges)
    .filter(isDrawable)
    .map((page) => {
      const inputs = [{ file: fileOf(page, 'png'), format: 'png' }]
      return pictureCall({ op: 'convert', inputs, output: { file: fileOf(page, to), format: to }, params })
    })
  const outputs = [{ file: `${out}-*.${to}`, format: to, source: 0 }]
  return { kind: 'plan', steps: [...drawn.steps, ...calls], outputs, warnings: drawn.warnings }
}
