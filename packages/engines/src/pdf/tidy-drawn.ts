import type { Plan, SourceFile } from '../engine.ts'
import { pdfLimits } from '../pages/limits.ts'
import { tooLarge, tooMany } from '../pages/probe.ts'
import { readMeasure, tidyStep, tidyWarnings } from './tidy-step.ts'

/**
 * Plans the last step of a PDF that one of our programs has just drawn: the run that removes active content also counts
 * and measures its pages. If that run cannot read it, the PDF is opened like an uploaded one.
 */
export function tidyDrawn(drawn: SourceFile, open: (drawn: SourceFile) => Plan): Plan {
  const out = `out-${/\d+/.exec(drawn.file)?.[0] ?? '0'}.pdf`
  const outputs = [{ file: out, format: 'pdf', source: 0 }]
  const step = tidyStep(drawn.file, out, { keepAttachments: false, isMeasured: true })
  return {
    kind: 'plan',
    // If Python fails, opening the PDF reports the reason. A code above 128 is a signal, which means a crash.
    steps: [{ ...step, readExit: ({ code }) => (code < 128 ? {} : undefined) }],
    outputs,
    warnings: [],
    next({ stdout: [said = ''], sizes }) {
      const found = readMeasure(said)
      if (found === undefined || !sizes[out]) return open(drawn)
      if (found.pages > pdfLimits.pages) return tooMany(found.pages)
      if (found.points > pdfLimits.points) return tooLarge(found.longest)
      return { kind: 'plan', steps: [], outputs, warnings: tidyWarnings(said) }
    },
  }
}
