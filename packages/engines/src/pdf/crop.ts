import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { processStep } from '../pages/process-step.ts'
import type { PdfOptions } from './pdf-options.ts'
import { planStages, type Stage } from './rewrite.ts'
import { tidyStep } from './tidy-step.ts'

/** Plans cropped pages. */
export function crop(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  const { x = 0, y = 0, width = 0, height = 0, pages, erase = true, keep_attachments = false } = options
  const area = { x, y, width, height }
  const ranges = parsePages(pages, opened.info.pages.length)
  if (isFailure(ranges)) return ranges
  const chosen = sortedPages(ranges)
  const outside = chosen.find((page) => !isOnPage(area, opened.info.pages[page - 1]))
  if (outside !== undefined) return offPage(outside, opened)
  const request = { keepAttachments: keep_attachments, crop: { area, pages: chosen } }
  const tidy: Stage = (file, out) => tidyStep(file, out, request)
  return planStages(erase ? [tidy, eraseStep] : [tidy], opened)
}

function isOnPage({ x, y }: { x: number; y: number }, page?: { width: number; height: number }): boolean {
  return page !== undefined && x < page.width && y < page.height
}

function offPage(page: number, { info }: OpenPdf): Failure {
  const { width = 0, height = 0 } = info.pages[page - 1] ?? {}
  return failure('unsupported', {
    text: `The area to keep lies outside of page ${page}, which is ${width} x ${height} points.`,
  })
}

const eraseStep: Stage = (file, out) => processStep('mutool', ['trim', '-o', out, file], { out })
