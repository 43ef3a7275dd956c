import { type Failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep, SourceFile } from '../engine.ts'
import { planAfter } from './plan-after.ts'
import { type PdfInfo, probeStep, readPdfInfo } from './probe.ts'
import { qpdfStep } from './qpdf-step.ts'

/** A PDF that needs no password any more, and what is known of it. */
export interface OpenPdf {
  readonly file: string
  readonly info: PdfInfo
  /** The number in its source's name, for names that no other source of the task has. */
  readonly number: string
}

const unrestricted = 'The PDF restricted what may be done with it. The result has no restrictions.'

/** Plans the opening of a PDF, with its password if there is one, then whatever follows. */
export function openPdf(
  { file }: SourceFile,
  password: string | undefined,
  then: (pdf: OpenPdf) => Plan | Failure,
): Plan {
  const number = /\d+/.exec(file)?.[0] ?? '0'
  const unlocked = `unlocked-${number}.pdf`
  const readable = password === undefined ? file : unlocked
  const steps = password === undefined ? [] : [unlockStep(file, unlocked, password)]
  return planAfter(steps, {
    kind: 'plan',
    steps: [probeStep(readable)],
    outputs: [],
    warnings: [],
    next({ stdout }) {
      const info = readPdfInfo(stdout[0] ?? '')
      if (isFailure(info) || !info.isEncrypted) return isFailure(info) ? info : then({ file: readable, info, number })
      // It opens for everybody, but every program would have to be told to look past the restrictions.
      const plan = then({ file: unlocked, info, number })
      if (isFailure(plan)) return plan
      return planAfter([unlockStep(file, unlocked)], { ...plan, warnings: [unrestricted, ...plan.warnings] })
    },
  })
}

/** Takes the protection off a PDF: with a password, or of one that opens without. */
export function unlockStep(file: string, out: string, password?: string): ProcessStep {
  if (password === undefined) return qpdfStep(['--decrypt', file, out], { out })
  const secret = { file: 'password.txt', text: password }
  return qpdfStep([`--password-file=${secret.file}`, '--decrypt', file, out], { out, writes: [secret] })
}
