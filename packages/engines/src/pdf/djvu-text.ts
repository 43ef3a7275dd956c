import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep, SourceFile } from '../engine.ts'
import { listPages, parsePages } from '../page-ranges.ts'
import { pdfLimits } from '../pages/limits.ts'
import { processStep } from '../pages/process-step.ts'
import type { PdfOptions } from './pdf-options.ts'

const noText = 'The DjVu document has no text: its pages are images only. Convert it to pdf, then use the option ocr.'

/** Plans the text of a DjVu document. It is stored next to the image of each page, and a PDF would not contain it. */
export function djvuText({ file }: SourceFile, { pages }: PdfOptions): Plan {
  const out = 'out-0.txt'
  const outputs = [{ file: out, format: 'txt', source: 0 }]
  return {
    kind: 'plan',
    steps: [countStep(file)],
    outputs: [],
    warnings: [],
    next({ stdout }) {
      const count = readCount(stdout[0] ?? '')
      if (isFailure(count)) return count
      const ranges = parsePages(pages, count)
      if (isFailure(ranges)) return ranges
      const words = ranges.map(({ first, last }) => `${first}-${last}`).join(',')
      const step = processStep('djvutxt', [`--page=${words}`, file, out], { out })
      // A page without text still has a page separator.
      const isEmpty = (size = 0) => size <= listPages(ranges).length
      const next: NonNullable<Plan['next']> = ({ sizes }) => {
        return { kind: 'plan', steps: [], outputs, warnings: isEmpty(sizes[out]) ? [noText] : [] }
      }
      return { kind: 'plan', steps: [step], outputs, warnings: [], next }
    },
  }
}

function countStep(file: string): ProcessStep {
  return { ...processStep('djvused', ['-e', 'n', file], { out: '', weight: 0.05 }), outputs: [], capture: true }
}

function readCount(stdout: string): number | Failure {
  const count = Number(/^\d{1,9}$/m.exec(stdout)?.[0] ?? 0)
  if (count === 0) return failure('input_damaged', { detail: 'djvused found no pages' })
  if (count <= pdfLimits.pages) return count
  const text = `The document has ${count} pages; the limit is ${pdfLimits.pages}.`
  return failure('limit_exceeded', { text })
}
