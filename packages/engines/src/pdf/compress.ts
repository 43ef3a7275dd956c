import { isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { packStep, reduceStep } from './compress-step.ts'
import type { PdfOptions } from './pdf-options.ts'
import { planStages, tidy } from './rewrite.ts'

const imagesKept = 'The images could not be recompressed, so the PDF is only packed better.'

/** Plans a smaller PDF. */
export function compress(opened: OpenPdf, source: string, options: PdfOptions): Plan {
  const plan = planStages([tidy(options), packStep], opened, { unlessSmallerThan: source })
  const [tidied, pack] = plan.steps
  const [from] = tidied?.outputs ?? []
  const [out] = pack?.outputs ?? []
  const reduced = `reduced-${opened.number}.pdf`
  const reduce = from === undefined ? undefined : reduceStep(from, reduced, options)
  if (tidied === undefined || from === undefined || out === undefined || reduce === undefined) return plan
  return {
    ...plan,
    // MuPDF fails on a page that it cannot rewrite, but can still pack the file.
    steps: [tidied, { ...reduce, readExit: () => ({}), outputs: [] }],
    next(found) {
      const after = plan.next?.(found) ?? plan
      if (isFailure(after)) return after
      const isReduced = (found.sizes[reduced] ?? 0) > 0
      const warnings = isReduced ? after.warnings : [...after.warnings, imagesKept]
      return { ...after, steps: [packStep(isReduced ? reduced : from, out)], warnings }
    },
  }
}
