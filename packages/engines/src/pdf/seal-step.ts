import type { ProcessStep } from '../engine.ts'
import { qpdfStep } from '../pages/qpdf-step.ts'

/** The final changes to a PDF. */
export interface Seal {
  readonly rotate?: string
  /** The pages to rotate, in qpdf's syntax: numbers and dashes. */
  readonly rotatePages?: string
  readonly isFlattened: boolean
  readonly isLinearized: boolean
  readonly lock?: Lock
}

/** Who may open a PDF and what readers may do with it. */
export interface Lock {
  readonly userPassword: string
  readonly ownerPassword: string
  readonly printing: string
  readonly changes: string
  readonly canCopy: boolean
}

/** Rotates, flattens, linearizes and encrypts, as requested. */
export function sealStep(file: string, out: string, seal: Seal): ProcessStep {
  const { rotate, rotatePages, isFlattened, isLinearized, lock } = seal
  const args = [
    ...(rotate === undefined ? [] : [`--rotate=+${rotate}${rotatePages === undefined ? '' : `:${rotatePages}`}`]),
    ...(isFlattened ? ['--generate-appearances', '--flatten-annotations=all'] : []),
    ...(isLinearized ? ['--linearize'] : []),
  ]
  if (lock === undefined) return qpdfStep([...args, file, out], { out })
  const secret = { file: 'lock.txt', text: lockWords(lock).join('\n') }
  return qpdfStep([...args, `@${secret.file}`, file, out], { out, writes: [secret] })
}

// qpdf reads one argument per line, so a password may hold anything but line breaks, which no option can hold.
function lockWords({ userPassword, ownerPassword, printing, changes, canCopy }: Lock): readonly string[] {
  return [
    '--encrypt',
    `--user-password=${userPassword}`,
    `--owner-password=${ownerPassword}`,
    '--bits=256',
    `--print=${printing}`,
    `--modify=${changes}`,
    `--extract=${canCopy ? 'y' : 'n'}`,
    '--',
    '',
  ]
}
