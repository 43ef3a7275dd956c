import type { ProcessStep } from '../engine.ts'
import type { PageRange } from './page-ranges.ts'
import { qpdfStep } from './qpdf-step.ts'

/** Pages of one document, in the order they are to have. */
export interface Selection {
  readonly file: string
  readonly ranges: readonly PageRange[]
}

/** Makes one PDF of chosen pages of others. Links and form fields come along with the pages they are on. */
export function selectStep(parts: readonly Selection[], out: string): ProcessStep {
  const chosen = parts.flatMap(({ file, ranges }) => [file, ranges.map(toWord).join(',')])
  return qpdfStep(['--empty', '--pages', ...chosen, '--', out], { out })
}

function toWord({ first, last }: PageRange): string {
  return first === last ? String(first) : `${first}-${last}`
}
