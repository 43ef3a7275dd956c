import { failure } from '@lathe/domain'
import type { Plan, SourceFile } from '../engine.ts'
import { postscriptManners } from './ghostscript-step.ts'
import { postscriptLimits } from './limits.ts'
import { planAfter } from './plan-after.ts'
import { processStep } from './process-step.ts'

/** The formats that are programs: Ghostscript runs them, and what they draw is a PDF. */
export const postscriptFormats = ['ps', 'eps', 'ai'] as const

/** Plans the running of a PostScript program, then whatever is to be done with the PDF it draws. */
export function runPostscript(source: SourceFile, then: (drawn: SourceFile) => Plan): Plan {
  const file = `drawn-${/\d+/.exec(source.file)?.[0] ?? '0'}.pdf`
  // A picture is as large as it says it is; a document has the pages it sets up.
  const size = source.format === 'ps' ? [] : ['-dEPSCrop']
  const run = processStep('gs', [...postscriptManners, ...size, `-sOutputFile=${file}`, source.file], {
    out: file,
    profile: 'ghostscript',
    limits: postscriptLimits,
    // 1: the program is wrong, or wanted what it may not have.
    readExit: ({ code, stderr }) => (code === 1 ? failure('input_damaged', { detail: stderr }) : undefined),
  })
  return planAfter([run], then({ ...source, file, format: 'pdf' }))
}
