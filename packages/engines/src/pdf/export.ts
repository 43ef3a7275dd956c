import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import { pdfLimits } from '../pages/limits.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { processStep } from '../pages/process-step.ts'
import type { PdfOptions } from './pdf-options.ts'
import { planStages, type Stage, selectStages, tidy } from './rewrite.ts'

const layouts = { reading: [], page: ['-layout'], raw: ['-raw'] }

/** Plans the text of a document. */
export function toText({ layout = 'reading', ...options }: PdfOptions, opened: OpenPdf): Plan | Failure {
  const args = ['-enc', 'UTF-8', '-eol', 'unix', '-cropbox', ...layouts[layout]]
  return exportWhole(opened, options, {
    format: 'txt',
    stages: [(file, out) => processStep('pdftotext', [...args, file, out], { out })],
  })
}

/** Plans a document as one web page: its pages as images with the text on top, all in one file. */
export function toHtml(options: PdfOptions, opened: OpenPdf): Plan | Failure {
  const args = ['-s', '-c', '-noframes', '-dataurls', '-q', '-enc', 'UTF-8']
  const read: Stage = (file, out) => processStep('pdftohtml', [...args, file, out], { out })
  // Links are kept, so links that run something must be removed first.
  return exportWhole(opened, options, { format: 'html', stages: [tidy({}), read] })
}

/** Plans the export of the chosen pages of a document by one program. */
export function exportWhole(
  opened: OpenPdf,
  { pages }: PdfOptions,
  { format, stages }: { format: string; stages: readonly Stage[] },
): Plan | Failure {
  const select = selectStages(pages, opened.info.pages.length)
  return isFailure(select) ? select : planStages([...select, ...stages], opened, { format })
}

/** Plans each page as a separate drawing. */
export function toSvg({ pages }: PdfOptions, { file, info, number }: OpenPdf): Plan | Failure {
  const ranges = parsePages(pages, info.pages.length)
  if (isFailure(ranges)) return ranges
  const wanted = sortedPages(ranges)
  const runs = Array.from({ length: Math.ceil(wanted.length / pdfLimits.pagesPerStep) }, (_, n) =>
    wanted.slice(n * pdfLimits.pagesPerStep, (n + 1) * pdfLimits.pagesPerStep),
  )
  const steps = runs.map((run, n) => {
    // MuPDF numbers the pages of each run from 1, so each run needs a prefix that keeps the order.
    const out = `out-${number}-${n + 1}%04d.svg`
    const args = ['convert', '-F', 'svg', '-O', 'text=path', '-o', out, file, run.join(',')]
    return processStep('mutool', args, { out, outputs: [], weight: run.length })
  })
  return { kind: 'plan', steps, outputs: [{ file: `out-${number}-*.svg`, format: 'svg', source: 0 }], warnings: [] }
}
