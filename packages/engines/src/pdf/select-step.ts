import type { ProcessStep } from '../engine.ts'
import type { PageRange } from '../page-ranges.ts'
import { qpdfStep } from '../pages/qpdf-step.ts'

/** Pages of one document, in the order of the result. */
export interface Selection {
  readonly file: string
  readonly ranges: readonly PageRange[]
}

/** Makes a PDF of chosen pages of another, and keeps everything that belongs to the whole document. */
export function selectStep({ file, ranges }: Selection, out: string): ProcessStep {
  return qpdfStep([file, '--pages', '.', toWords(ranges), '--', out], { out })
}

/** Joins chosen pages of several PDFs into one. Links and form fields are kept with the pages they are on. */
export function joinStep(parts: readonly Selection[], out: string): ProcessStep {
  const chosen = parts.flatMap(({ file, ranges }) => [file, toWords(ranges)])
  return qpdfStep(['--empty', '--pages', ...chosen, '--', out], { out })
}

function toWords(ranges: readonly PageRange[]): string {
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
