import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { type OpenPdf, openPdf } from '../pages/open-pdf.ts'
import { processStep } from '../pages/process-step.ts'
import { drawSteps } from '../pages/raster-step.ts'
import type { Versions } from './compare.ts'
import { differenceFile, differenceStep, toPage } from './compare-images.ts'
import { compareLimits } from './limits.ts'
import { reportPlan } from './report.ts'

const drawn = ['before', 'after'] as const

/** Plans the comparison of two PDF files: how their pages look, and their text. */
export function planPdfs({ source, other, to, options }: Versions): Plan | Failure {
  const { password, strict: isStrict = false } = options
  const open = (file: Versions['source'], then: (opened: OpenPdf) => Plan | Failure) =>
    openPdf(file, password, then, { isStrict, countFiles: () => 0 })
  return open(source, (before) => open(other, (after) => planOpened([before, after], { to, options })))
}

function planOpened(pdfs: readonly OpenPdf[], { to, options }: Pick<Versions, 'to' | 'options'>): Plan | Failure {
  const counts = pdfs.map(({ info }) => info.pages.length)
  if (Math.max(...counts) > compareLimits.pages) {
    const text = `A PDF has ${Math.max(...counts)} pages, and ${compareLimits.pages} can be compared. Split both with the operation split.`
    return failure('limit_exceeded', { text })
  }
  const draws = pdfs.map(({ file, info }, n) => {
    return drawSteps({ file, format: 'png', out: drawn[n] ?? 'after', options: { dpi: 100 } }, info)
  })
  const refused = draws.find(isFailure)
  if (refused) return refused
  const texts = pdfs.map((_, n) => `${drawn[n]}.txt`)
  const reads = pdfs.map(({ file }, n) => {
    const out = texts[n] ?? ''
    return processStep('pdftotext', ['-enc', 'UTF-8', '-eol', 'unix', '-cropbox', '-nopgbrk', file, out], { out })
  })
  return {
    kind: 'plan',
    steps: [...draws.flatMap((draw) => (isFailure(draw) ? [] : draw.steps)), ...reads],
    outputs: [],
    warnings: [],
    next({ sizes }) {
      const [before = [], after = []] = drawn.map((name) => pagesOf(sizes, name))
      const pairs = before.slice(0, after.length).map((file, n) => [file, after[n] ?? ''] as const)
      if (pairs.length === 0) return failure('input_damaged', { detail: 'no page was drawn' })
      return planPages(pairs, { to, options, texts, counts })
    },
  }
}

/** The file names of the drawn pages, in page order. */
function pagesOf(sizes: Readonly<Record<string, number>>, name: string): readonly string[] {
  const isPage = new RegExp(`^${name}-\\d{1,6}\\.png$`)
  const order = new Intl.Collator('en', { numeric: true })
  return Object.keys(sizes)
    .filter((file) => isPage.test(file))
    .sort(order.compare)
}

interface Pages extends Pick<Versions, 'to' | 'options'> {
  readonly texts: readonly string[]
  readonly counts: readonly number[]
}

function planPages(pairs: readonly (readonly [string, string])[], { to, options, texts, counts }: Pages): Plan {
  const steps = pairs.map((pair, n) => {
    const inputs = pair.map((file) => ({ file, format: 'png' }))
    return differenceStep(inputs, n + 1, options)
  })
  const [before = 0, after = 0] = counts
  const warnings = before === after ? [] : [`One file has ${before} pages, the other has ${after}.`]
  if (to === 'png') {
    const outputs = [{ file: differenceFile(0).replace('0', '*'), format: 'png', source: 0 }]
    return { kind: 'plan', steps, outputs, warnings }
  }
  return {
    kind: 'plan',
    steps,
    outputs: [],
    warnings,
    next: ({ results }) =>
      reportPlan({ kind: 'pdf', pageCount: before, otherPageCount: after, pages: results.map(toPage) }, texts),
  }
}
