import { failure } from '@lathe/domain'
import type { Plan, ProcessStep, SourceFile, StepExit, Tolerated } from '../engine.ts'
import { unlockStep } from '../pages/open-pdf.ts'
import { qpdfStep } from '../pages/qpdf-step.ts'

/** The name of the decrypted PDF. */
export const plainPdf = 'plain.pdf'

const unrestricted = 'The PDF restricted what may be done with it. The result has no restrictions.'

/** Plans work on a PDF after it was decrypted with its password, if it needs one. */
export function openedPdf(source: SourceFile, password: string | undefined, act: (source: SourceFile) => Plan): Plan {
  const plain: SourceFile = { ...source, file: plainPdf }
  const before = (step: ProcessStep, warnings: readonly string[] = []): Plan => ({
    kind: 'plan',
    steps: [step],
    outputs: [],
    warnings,
    next: () => act(plain),
  })
  if (password !== undefined) return before(unlockStep(source.file, plain.file, password))
  return {
    kind: 'plan',
    steps: [lockStep(source.file)],
    outputs: [],
    warnings: [],
    next({ failed }) {
      if (failed?.[0] !== true) return act(source)
      const isWritten = act(source).outputs.some(({ format }) => format === 'pdf')
      return before(unlockStep(source.file, plain.file), isWritten ? [unrestricted] : [])
    },
  }
}

/** Asks qpdf whether a PDF is encrypted. 0: it needs a password. 2: not encrypted. 3: it opens without a password. */
function lockStep(file: string): ProcessStep {
  return {
    ...qpdfStep(['--requires-password', file], { out: '' }),
    outputs: [],
    readLog: () => failure('input_encrypted'),
    readExit: readLock,
  }
}

function readLock({ code }: StepExit): Tolerated | undefined {
  if (code === 3) return { hasFailed: true }
  return code === 2 ? {} : undefined
}
