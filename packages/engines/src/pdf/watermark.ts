import { type Failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { parsePages, sortedPages } from '../page-ranges.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { planAfter } from '../pages/plan-after.ts'
import { processStep } from '../pages/process-step.ts'
import { type Mark, placeOf, stampFile, stampStep } from '../watermark/stamp.ts'
import { planStages, type Stage, tidy } from './rewrite.ts'
import { watermarkScript } from './watermark-script.ts'

/** Plans pages with a watermark over what is on them. */
export function watermark(opened: OpenPdf, { overlay, options }: Mark): Plan | Failure {
  const mark = { overlay, options: { color: 'gray', ...options } }
  const { pages } = options
  const ranges = parsePages(pages === undefined ? undefined : String(pages), opened.info.pages.length)
  if (isFailure(ranges)) return ranges
  const ask = JSON.stringify({ ...placeOf(mark.options), pages: sortedPages(ranges), stamp: stampFile.file })
  const place: Stage = (file, out) =>
    processStep('python3', ['watermark.py', file, out, 'watermark.json'], {
      out,
      modules: { watermark: watermarkScript },
      writes: [{ file: 'watermark.json', text: ask }],
    })
  return planAfter([stampStep(mark)], planStages([tidy(mark.options), place], opened))
}
