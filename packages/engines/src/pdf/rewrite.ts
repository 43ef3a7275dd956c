import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan, PlannedOutput, Step } from '../engine.ts'
import { listPages, parsePages } from '../page-ranges.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { archiveStep, versionStep } from './ghostscript-step.ts'
import { ocrStep } from './ocr-step.ts'
import type { PdfOptions } from './pdf-options.ts'
import { type Lock, sealStep } from './seal-step.ts'
import { selectStep } from './select-step.ts'
import { tidyStep, tidyWarnings } from './tidy-step.ts'

/** One step of work on a PDF: reads one file and writes another. */
export type Stage = (file: string, out: string) => Step

/** Plans a chain of stages, each reading the output of the previous one. Reports the warnings of `tidy`. */
export function planStages(
  stages: readonly Stage[],
  { file, number }: OpenPdf,
  output: Partial<PlannedOutput> = {},
): Plan {
  const { format = 'pdf' } = output
  const final = `out-${number}.${format}`
  const names = stages.map((_, n) => (n === stages.length - 1 ? final : `${letters.charAt(n)}-${number}.pdf`))
  const steps = stages.map((stage, n) => stage(names[n - 1] ?? file, names[n] ?? final))
  const outputs = [{ file: final, format, source: 0, ...output }]
  return {
    kind: 'plan',
    steps,
    outputs,
    warnings: [],
    next: ({ stdout }) => ({ kind: 'plan', steps: [], outputs, warnings: tidyWarnings(stdout.join('\n')) }),
  }
}

// Names of the files between two stages.
const letters = 'abcdefgh'

/** Removes active content. Every PDF that is made of another goes through it. */
export function tidy({ keep_attachments: keepAttachments = false }: PdfOptions): Stage {
  return (file, out) => tidyStep(file, out, { keepAttachments })
}

/** The stage that keeps only the chosen pages, or no stage if all are kept. */
export function selectStages(pages: string | undefined, count: number): readonly Stage[] | Failure {
  if (pages === undefined) return []
  const ranges = parsePages(pages, count)
  if (isFailure(ranges)) return ranges
  return [(file, out) => selectStep({ file, ranges }, out)]
}

/** Plans a PDF that stays a PDF. */
export function rewrite(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  const select = selectStages(options.pages, opened.info.pages.length)
  if (isFailure(select)) return select
  const seal = sealStages(options, countPages(options.pages, opened))
  if (isFailure(seal)) return seal
  return planStages([...select, tidy(options), ...ocrStages(options), ...versionStages(options), ...seal], opened)
}

/** Plans a PDF with only certain pages. */
export function trim(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  if (options.pages === undefined)
    return failure('unsupported', { text: 'The option pages is required: the pages to keep, such as 1-3,5,8-.' })
  return rewrite(opened, options)
}

function countPages(pages: string | undefined, { info }: OpenPdf): number {
  if (pages === undefined) return info.pages.length
  const ranges = parsePages(pages, info.pages.length)
  return isFailure(ranges) ? 0 : listPages(ranges).length
}

function ocrStages({ ocr, ocr_language = 'eng' }: PdfOptions): readonly Stage[] {
  return ocr ? [(file, out) => ocrStep(file, out, ocr_language)] : []
}

function versionStages({ pdf_a = 'none', pdf_version }: PdfOptions): readonly Stage[] {
  if (pdf_a !== 'none') return [(file, out) => archiveStep(file, out, pdf_a.charAt(0))]
  return pdf_version === undefined ? [] : [(file, out) => versionStep(file, out, pdf_version)]
}

function sealStages(options: PdfOptions, count: number): readonly Stage[] | Failure {
  const { rotate, rotate_pages, flatten = false, linearize = false } = options
  const ranges = rotate_pages === undefined ? undefined : parsePages(rotate_pages, count)
  if (isFailure(ranges)) return ranges
  const lock = toLock(options)
  const isTurned = typeof rotate === 'string' && rotate !== '0'
  if (!isTurned && !flatten && !linearize && lock === undefined) return []
  const seal = {
    ...(isTurned && { rotate }),
    ...(ranges && { rotatePages: ranges.map(({ first, last }) => `${first}-${last}`).join(',') }),
    ...(lock && { lock }),
    isFlattened: flatten,
    isLinearized: linearize,
  }
  return [(file, out) => sealStep(file, out, seal)]
}

/** Reads the passwords and permissions of the result; undefined without a password. */
export function toLock(options: PdfOptions): Lock | undefined {
  const { output_password, owner_password } = options
  const { allow_printing = 'full', allow_changes = 'all', allow_copying = true } = options
  if (output_password === undefined && owner_password === undefined) return undefined
  return {
    userPassword: output_password ?? '',
    // An empty owner password would make everyone the owner.
    ownerPassword: owner_password ?? output_password ?? '',
    printing: allow_printing,
    changes: allow_changes,
    canCopy: allow_copying,
  }
}
