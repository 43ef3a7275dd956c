import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep, SourceFile } from '../engine.ts'
import { planAfter } from './plan-after.ts'
import { examineStep, type PdfInfo, probeStep, readPdfInfo } from './probe.ts'
import { readDamage } from './process-step.ts'
import { qpdfStep } from './qpdf-step.ts'
import { damaged, type Repair, repairs, tolerate } from './repair.ts'

/** A PDF that no longer needs a password, and its properties. */
export interface OpenPdf {
  readonly file: string
  readonly info: PdfInfo
  /** The number in the name of its source, for file names that are unique in the task. */
  readonly number: string
}

const unrestricted = 'The PDF restricted what may be done with it. The result has no restrictions.'

/** How to handle a damaged PDF. */
export interface Tolerance {
  /** Whether a damaged PDF is refused instead of repaired. */
  readonly isStrict: boolean
  /** How many files the output with a `*` in its name must have in the end. */
  countFiles(pdf: OpenPdf): number
}

type Then = (pdf: OpenPdf) => Plan | Failure

/** Plans to open a PDF, with its password if there is one, and then to do what `then` plans. */
export function openPdf({ file }: SourceFile, password: string | undefined, then: Then, tolerance?: Tolerance): Plan {
  const number = /\d+/.exec(file)?.[0] ?? '0'
  const unlocked = `unlocked-${number}.pdf`
  const source = password === undefined ? file : unlocked
  const left = tolerance === undefined || tolerance.isStrict ? [] : repairs
  const attempt = { source, file: source, number, left, ...(tolerance && { tolerance }) }
  const plan = tryToOpen(attempt, then)
  return password === undefined ? plan : planAfter([unlockStep(file, unlocked, password)], plan)
}

interface Attempt {
  /** Undefined for a PDF that we made ourselves. */
  readonly tolerance?: Tolerance
  /** The original PDF, without its password. */
  readonly source: string
  /** The file that is read: the original or a repaired copy. */
  readonly file: string
  readonly number: string
  /** Repairs that have not been tried yet. */
  readonly left: readonly Repair[]
}

function tryToOpen(attempt: Attempt, then: Then): Plan {
  const { file, left, tolerance } = attempt
  return {
    kind: 'plan',
    steps: [tolerance ? examineStep(file, { isTolerant: left.length > 0 }) : probeStep(file)],
    outputs: [],
    warnings: [],
    next({ stdout }) {
      const info = readPdfInfo(stdout[0] ?? '')
      if (!isFailure(info)) return planOpen(attempt, then, info)
      return info.code === 'input_damaged' && left.length > 0 ? tryRepaired(attempt, then) : info
    },
  }
}

function tryRepaired(attempt: Attempt, then: Then): Plan | Failure {
  const [repair, ...left] = attempt.left
  if (repair === undefined) return failure('input_damaged')
  const repaired = `repaired-${left.length}-${attempt.number}.pdf`
  return planAfter([repair(attempt.source, repaired)], tryToOpen({ ...attempt, file: repaired, left }, then))
}

function planOpen(attempt: Attempt, then: Then, info: PdfInfo): Plan | Failure {
  const { file, number, left, tolerance } = attempt
  const isStrict = tolerance?.isStrict ?? true
  if (info.isDamaged && isStrict) return failure('input_damaged', { detail: 'the structure is damaged' })
  const isRepaired = info.isDamaged || left.length < repairs.length
  const warnings = isRepaired && !isStrict ? [damaged] : []
  const direct = () => planOpened(attempt, { then, warnings, opened: { file, info, number } })
  if (!info.isEncrypted) return direct()
  // Every program honors restrictions, so they are removed first. A PDF that only poppler can decrypt stays as it is.
  const unlocked = `unlocked-${number}.pdf`
  const unlock = { ...unlockStep(file, unlocked), readExit: readDamage }
  const opened = { file: unlocked, info, number }
  return planOpened(attempt, { then, warnings: [...warnings, unrestricted], opened, unlock }, direct)
}

interface Opened {
  readonly opened: OpenPdf
  readonly unlock?: ProcessStep
  readonly warnings: readonly string[]
  readonly then: Then
}

function planOpened(
  attempt: Attempt,
  { opened, unlock, warnings, then }: Opened,
  otherwise: () => Plan | Failure = () => tryRepaired(attempt, then),
): Plan | Failure {
  const plan = then(opened)
  if (isFailure(plan)) return plan
  const whole = planAfter(unlock ? [unlock] : [], { ...plan, warnings: [...warnings, ...plan.warnings] })
  if (attempt.left.length === 0 || attempt.tolerance === undefined) return whole
  return tolerate(whole, { files: attempt.tolerance.countFiles(opened) }, otherwise)
}

/** Removes the protection of a PDF, with a password or from one that opens without. */
export function unlockStep(file: string, out: string, password?: string): ProcessStep {
  if (password === undefined) return qpdfStep(['--decrypt', file, out], { out })
  const secret = { file: 'password.txt', text: password }
  return qpdfStep([`--password-file=${secret.file}`, '--decrypt', file, out], { out, writes: [secret] })
}
