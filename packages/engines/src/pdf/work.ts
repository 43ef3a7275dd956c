import { type Failure, failure, isFailure } from '@lathe/domain'
import { ended } from '../alongside.ts'
import type { Plan, PlannedOutput } from '../engine.ts'
import { listPages, type PageRange, parsePages } from '../page-ranges.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { processStep } from '../pages/process-step.ts'
import { missingRanges } from '../split/methods.ts'
import { ocrWorkStep } from './ocr-step.ts'
import type { PdfOptions } from './pdf-options.ts'
import { planStages, type Stage, tidy, toLock } from './rewrite.ts'
import { sealStep } from './seal-step.ts'
import { selectStep } from './select-step.ts'
import { splitScript } from './split-script.ts'
import { tidyWarnings } from './tidy-step.ts'

/** Plans rotated pages. */
export function rotate(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  const { angle = '90', pages } = options
  const ranges = pages === undefined ? undefined : parsePages(pages, opened.info.pages.length)
  if (isFailure(ranges)) return ranges
  const seal = {
    rotate: angle,
    ...(ranges && { rotatePages: toWords(ranges) }),
    isFlattened: false,
    isLinearized: false,
  }
  return planStages([tidy(options), (file, out) => sealStep(file, out, seal)], opened)
}

/** Plans pages in another order. */
export function reorder(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  const count = opened.info.pages.length
  if (options.order === undefined)
    return failure('unsupported', {
      text: 'The option order is required: the pages in their new order, such as 3,1-2.',
    })
  const ranges = parsePages(options.order, count, 'order')
  if (isFailure(ranges)) return ranges
  const named = new Set(listPages(ranges))
  const others = Array.from({ length: count }, (_, n) => n + 1).filter((page) => !named.has(page))
  const all = [...ranges, ...toRanges(others)]
  return planStages([(file, out) => selectStep({ file, ranges: all }, out), tidy(options)], opened)
}

function toRanges(pages: readonly number[]): readonly PageRange[] {
  const ranges: { first: number; last: number }[] = []
  for (const page of pages) {
    const before = ranges.at(-1)
    if (before?.last === page - 1) before.last = page
    else ranges.push({ first: page, last: page })
  }
  return ranges
}

/** Plans a PDF without editable fields and comments. */
export function flatten(opened: OpenPdf, options: PdfOptions): Plan {
  const seal = { isFlattened: true, isLinearized: false }
  return planStages([tidy(options), (file, out) => sealStep(file, out, seal)], opened)
}

/** Plans a PDF with a password. */
export function encrypt(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  const lock = toLock(options)
  if (lock === undefined)
    return failure('unsupported', { text: 'One of the options output_password and owner_password is required.' })
  const seal = { lock, isFlattened: false, isLinearized: false }
  return planStages([tidy(options), (file, out) => sealStep(file, out, seal)], opened)
}

/** Plans a PDF without a password. Opening it has already removed the password. */
export function decrypt(opened: OpenPdf, options: PdfOptions): Plan {
  return planStages([tidy(options)], opened)
}

/** Plans a PDF or text with the text recognized on its pages. */
export function ocr(to: string, opened: OpenPdf, options: PdfOptions): Plan {
  const recognize: Stage = (file, out) => ocrWorkStep(file, out, options)
  if (to === 'pdf') return planStages([tidy(options), recognize], opened)
  const toText: Stage = (file, out) => processStep('pdftotext', ['-enc', 'UTF-8', '-eol', 'unix', file, out], { out })
  return planStages([tidy(options), recognize, toText], opened, { format: to })
}

/** Plans the split of a PDF into several. */
export function split(opened: OpenPdf, options: PdfOptions): Plan | Failure {
  const { file, number, info } = opened
  const { by = 'pages', pages_per_file: each = 1, ranges, max_size: most = 0 } = options
  const parts = by === 'ranges' ? readParts(ranges, info.pages.length) : []
  if (isFailure(parts)) return parts
  if (by === 'size' && most === 0)
    return failure('unsupported', { text: 'The option max_size is required to split by size.' })
  const ask = JSON.stringify({ by, each, ranges: parts, pages: info.pages.length, most })
  const [whole, prefix] = [`whole-${number}.pdf`, `out-${number}`]
  const outputs: readonly PlannedOutput[] = [{ file: `${prefix}-*.pdf`, format: 'pdf', source: 0 }]
  const cut = processStep('python3', ['split.py', whole, prefix, 'split.json'], {
    out: '',
    outputs: [],
    modules: { split: splitScript },
    writes: [{ file: 'split.json', text: ask }],
    capture: true,
  })
  return {
    kind: 'plan',
    steps: [tidy(options)(file, whole), cut],
    outputs,
    warnings: [],
    next: ({ stdout: [tidied = '', said = ''] }) => ended(outputs, [...tidyWarnings(tidied), ...splitWarnings(said)]),
  }
}

/** The least number of files that a split of this many pages makes. */
export function leastParts({ by = 'pages', pages_per_file: each = 1, ranges }: PdfOptions, count: number): number {
  if (by === 'pages') return Math.ceil(count / each)
  return by === 'ranges' ? (ranges?.split(',').length ?? 1) : 1
}

function readParts(ranges: string | undefined, count: number): readonly string[] | Failure {
  if (ranges === undefined) return missingRanges
  const parsed = parsePages(ranges, count, 'ranges')
  return isFailure(parsed) ? parsed : parsed.map((range) => toWords([range]))
}

const toWords = (ranges: readonly PageRange[]) => ranges.map(({ first, last }) => `${first}-${last}`).join(',')

function splitWarnings(stdout: string): readonly string[] {
  const large = Number(/"large": (\d+)/.exec(stdout)?.[1] ?? 0)
  if (large === 0) return []
  return [
    `${large} ${large === 1 ? 'file is' : 'files are'} larger than max_size: ${large === 1 ? 'it is' : 'each is'} a single large page.`,
  ]
}
