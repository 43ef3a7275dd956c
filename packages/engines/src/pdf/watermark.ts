import { type Failure, isFailure } from '@lathe/domain'
import type { Plan, SourceFile } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { planAfter } from '../pages/plan-after.ts'
import { processStep } from '../pages/process-step.ts'
import { placeOf, stampFile, stampStep } from '../watermark/stamp.ts'
import type { PdfOptions } from './pdf-options.ts'
import { planStages, type Stage, tidy } from './rewrite.ts'
import { watermarkScript } from './watermark-script.ts'

/** Plans pages with a watermark on top. */
export function watermark(opened: OpenPdf, options: PdfOptions, overlay: SourceFile | undefined): Plan | Failure {
  const mark = { overlay, options: { color: 'gray', ...options } }
  const ranges = parsePages(options.pages, opened.info.pages.length)
  if (isFailure(ranges)) return ranges
  const ask = JSON.stringify({ ...placeOf(options), pages: sortedPages(ranges), stamp: stampFile.file })
  const place: Stage = (file, out) =>
    processStep('python3', ['watermark.py', file, out, 'watermark.json'], {
      out,
      modules: { watermark: watermarkScript },
      writes: [{ file: 'watermark.json', text: ask }],
    })
  return planAfter([stampStep(mark)], planStages([tidy(options), place], opened))
}
