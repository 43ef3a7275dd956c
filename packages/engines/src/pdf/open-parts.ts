import { type Failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import { alongside, andThen } from '../alongside.ts'
import type { Plan, Step } from '../engine.ts'
import { pagesByFile } from './merge-options.ts'
import type { MergePart } from './merge-part.ts'
import { unlockStep } from './open-pdf.ts'
import { type PageRange, parsePages } from './page-ranges.ts'
import { planAfter } from './plan-after.ts'
import { type PdfInfo, probeStep, readPdfInfo } from './probe.ts'

/** A part of a merge that any program can read, and what is wanted of it. */
export interface OpenPart {
  readonly file: string
  /** Of the file it came from, counted from 1. */
  readonly number: number
  readonly info: PdfInfo
  readonly ranges: readonly PageRange[]
}

/** Plans the making of parts, a look into each and the choice of its pages, then whatever follows. */
export function openParts(
  parts: readonly MergePart[],
  pages: unknown,
  then: (open: readonly OpenPart[]) => Plan | Failure,
): Plan | Failure {
  return andThen(alongside(parts.map(({ plan }) => plan)), () => lookInto(parts, pages, then))
}

function lookInto(
  parts: readonly MergePart[],
  pages: unknown,
  then: (open: readonly OpenPart[]) => Plan | Failure,
): Plan {
  const asked = pagesByFile(pages)
  return {
    kind: 'plan',
    steps: parts.map(({ file }) => probeStep(file)),
    outputs: [],
    warnings: [],
    next({ stdout: answers }) {
      const opened = allOrFailure(parts.map((part, n) => inFile(openPart(part, answers[n] ?? '', asked), part.number)))
      if (isFailure(opened)) return opened
      const unlocking = opened.flatMap((one) => one.unlocking)
      const plan = then(opened.map(({ part }) => part))
      return isFailure(plan) ? plan : planAfter(unlocking, plan)
    },
  }
}

// With many files it matters which one is meant.
function inFile<T>(found: T | Failure, number: number): T | Failure {
  return isFailure(found) && found.text !== undefined ? { ...found, text: `File ${number}: ${found.text}` } : found
}

interface Opened {
  readonly part: OpenPart
  readonly unlocking: readonly Step[]
}

function openPart({ file, number }: MergePart, answer: string, asked: ReadonlyMap<number, string>): Opened | Failure {
  const info = readPdfInfo(answer)
  if (isFailure(info)) return info
  const ranges = parsePages(asked.get(number), info.pages.length)
  if (isFailure(ranges)) return ranges
  if (!info.isEncrypted) return { part: { file, number, info, ranges }, unlocking: [] }
  const open = `open-${number}.pdf`
  return { part: { file: open, number, info, ranges }, unlocking: [unlockStep(file, open)] }
}
