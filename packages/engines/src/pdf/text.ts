import { type Failure, isFailure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'
import type { OpenPdf } from './open-pdf.ts'
import { parsePages } from './page-ranges.ts'
import { selectStep } from './select-step.ts'

const layouts: Readonly<Record<string, readonly string[]>> = { page: ['-layout'], raw: ['-raw'] }

/** Plans the text of a document. */
export function extractText(
  { file, info, number }: OpenPdf,
  { pages, layout }: Readonly<Record<string, unknown>>,
): Plan | Failure {
  const out = `out-${number}.txt`
  const outputs = [{ file: out, format: 'txt', source: 0 }]
  const how = layouts[String(layout)] ?? []
  if (pages === undefined) return { kind: 'plan', steps: [textStep(file, out, how)], outputs, warnings: [] }
  const ranges = parsePages(String(pages), info.pages.length)
  if (isFailure(ranges)) return ranges
  const chosen = `chosen-${number}.pdf`
  const steps = [selectStep([{ file, ranges }], chosen), textStep(chosen, out, how)]
  return { kind: 'plan', steps, outputs, warnings: [] }
}

function textStep(file: string, out: string, how: readonly string[]): ProcessStep {
  return {
    kind: 'process',
    profile: 'pdf',
    program: 'pdftotext',
    args: ['-enc', 'UTF-8', '-eol', 'unix', '-cropbox', ...how, file, out],
    outputs: [out],
    limits: pdfStepLimits,
  }
}
