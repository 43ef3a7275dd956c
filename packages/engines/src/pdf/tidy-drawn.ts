import type { Plan, SourceFile } from '../engine.ts'
import { pdfLimits } from '../pages/limits.ts'
import { tooLarge, tooMany } from '../pages/probe.ts'
import { readMeasure, tidyStep, tidyWarnings } from './tidy-step.ts'

/**
 * Plans the end of a PDF that a program here has just drawn: its pages are counted and measured in the run that takes out
 * what acts by itself. One that cannot be read so is opened like a stranger's.
 */
export function tidyDrawn(drawn: SourceFile, open: (drawn: SourceFile) => Plan): Plan {
  const out = `out-${/\d+/.exec(drawn.file)?.[0] ?? '0'}.pdf`
  const outputs = [{ file: out, format: 'pdf', source: 0 }]
  const step = tidyStep(drawn.file, out, { keepAttachments: false, isMeasured: true })
  return {
    kind: 'plan',
    // Whatever Python says against it, opening it says why. Above 128 it is a signal, so a crash.
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
