import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep, SourceFile, StepExit } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'
import { planAfter } from './plan-after.ts'
import { type PdfInfo, probeStep, readPdfInfo } from './probe.ts'

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

function unlockStep(file: string, out: string, password?: string): ProcessStep {
  const secret = 'password.txt'
  return {
    kind: 'process',
    profile: 'pdf',
    program: 'qpdf',
    args: [...(password === undefined ? [] : [`--password-file=${secret}`]), '--decrypt', ...qpdfManners, file, out],
    outputs: [out],
    ...(password !== undefined && { writes: [{ file: secret, text: password }] }),
    limits: pdfStepLimits,
    readExit: readQpdfExit,
    weight: 0.2,
  }
}

/** What every run of qpdf is told: a document that could be repaired is good enough. */
export const qpdfManners: readonly string[] = ['--warning-exit-0']

/** What an exit of qpdf other than 0 means. */
export function readQpdfExit({ code, stderr }: StepExit): Failure | undefined {
  const detail = `qpdf: exit ${code}\n${stderr}`
  if (/invalid password/.test(stderr)) {
    const text = 'The password does not open the PDF. Give the right one as the option password.'
    return failure('input_encrypted', { text, detail })
  }
  return code === 2 ? failure('input_damaged', { detail }) : undefined
}
