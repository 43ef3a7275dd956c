import { type Failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Plan, ProcessStep } from '../engine.ts'
import { ocrLimits, pdfLimits } from '../pages/limits.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { processStep } from '../pages/process-step.ts'
import { drawSteps } from '../pages/raster-step.ts'
import type { PdfOptions } from './pdf-options.ts'

/** The resolution at which Tesseract reads best. */
const scanDpi = 300

/**
 * Plans the words of a document with their positions, as hOCR. Positions are in pixels: those of the image itself, or
 * for other pages those of a scan with 300 dpi.
 */
export function toHocr(
  opened: OpenPdf,
  options: PdfOptions,
  { isImage }: { readonly isImage: boolean },
): Plan | Failure {
  if (!isImage) return recognizePages(opened, options, () => scanDpi)
  const list = processStep('pdfimages', ['-list', opened.file], { out: '', outputs: [], capture: true, weight: 0.1 })
  return {
    kind: 'plan',
    steps: [list],
    outputs: [outputOf(opened)],
    warnings: [],
    next: ({ stdout }) => {
      const densities = readDensities(stdout[0] ?? '')
      return recognizePages(opened, options, (page) => densities.get(page) ?? scanDpi)
    },
  }
}

/** The pixels per inch of the image on each page, from the output of `pdfimages -list`. */
export function readDensities(list: string): ReadonlyMap<number, number> {
  const densities = new Map<number, number>()
  for (const line of list.split('\n')) {
    const words = line.trim().split(/\s+/)
    const [page, density] = [Number(words[0]), Number(words[12])]
    if (page > 0 && density > 0) densities.set(page, Math.max(density, densities.get(page) ?? 0))
  }
  return densities
}

const outputOf = ({ number }: OpenPdf) => ({ file: `out-${number}.hocr`, format: 'hocr', source: 0 })

function recognizePages(opened: OpenPdf, options: PdfOptions, dpiOf: (page: number) => number): Plan | Failure {
  const { file, number, info } = opened
  const drawn = allOrFailure(
    byDpi(opened, dpiOf).map(({ pages, dpi }) =>
      drawSteps({ file, format: 'png', out: `page-${number}`, options: { pages, dpi, gray: true } }, info),
    ),
  )
  if (isFailure(drawn)) return drawn
  const outputs = [outputOf(opened)]
  return {
    kind: 'plan',
    steps: drawn.flatMap(({ steps }) => steps),
    outputs,
    warnings: drawn.flatMap(({ warnings }) => warnings),
    next: ({ sizes }) => {
      const pages = Object.keys(sizes).filter((name) => name.startsWith(`page-${number}-`))
      const step = tesseractStep({
        pages: pages.toSorted(inOrder),
        number,
        language: options.language ?? 'eng',
      })
      return { kind: 'plan', steps: [step], outputs, warnings: [] }
    },
  }
}

const inOrder = new Intl.Collator('en', { numeric: true }).compare

/** Groups adjacent pages that are drawn at the same density, reduced where a page would be too large. */
function byDpi({ info }: OpenPdf, dpiOf: (page: number) => number) {
  const runs: { first: number; last: number; dpi: number }[] = []
  for (const [n, { width, height }] of info.pages.entries()) {
    const most = Math.floor((pdfLimits.side * 72) / Math.max(width, height, 1))
    const dpi = Math.max(1, Math.min(dpiOf(n + 1), most))
    const run = runs.at(-1)
    if (run?.dpi === dpi) run.last = n + 1
    else runs.push({ first: n + 1, last: n + 1, dpi })
  }
  return runs.map(({ first, last, dpi }) => ({ pages: `${first}-${last}`, dpi }))
}

interface Reading {
  readonly pages: readonly string[]
  readonly number: OpenPdf['number']
  readonly language: string
}

/** Recognizes the text of images, in this order, into one file. */
function tesseractStep({ pages, number, language }: Reading): ProcessStep {
  const list = `pages-${number}.txt`
  // Tesseract appends the extension itself.
  return processStep('tesseract', [list, `out-${number}`, '-l', language, 'hocr'], {
    out: `out-${number}.hocr`,
    profile: 'ocr',
    limits: ocrLimits,
    weight: 10,
    writes: [{ file: list, text: `${pages.join('\n')}\n` }],
  })
}
