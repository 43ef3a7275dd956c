import { paperSizes, printBounds } from '@lathe/operations'
import type { CallStep, JsonObject, StepLimits } from '../engine.ts'
import { pageLimits } from './limits.ts'
import type { PrintOptions } from './options.ts'

const mmPerInch = 25.4
// The viewport before printing. The size of the paper then determines the layout.
const printViewport = { width: 1280, height: 800 }

/** The parameters of `Page.printToPDF`, which are in inches. */
export function toPrintParameters(options: PrintOptions): JsonObject {
  const { margin: usual, scale: usualScale } = printBounds
  const { paper_size = 'a4', orientation, print_background = true, pages } = options
  const { margin = usual.byDefault, scale = usualScale.byDefault } = options
  const [width, height] = paperSizes[paper_size]
  const inches = toInches(margin)
  return {
    paperWidth: toInches(width),
    paperHeight: toInches(height),
    landscape: orientation === 'landscape',
    marginTop: inches,
    marginBottom: inches,
    marginLeft: inches,
    marginRight: inches,
    printBackground: print_background,
    scale,
    ...(pages !== undefined && { pageRanges: pages }),
  }
}

/** Converts millimeters to inches. */
export function toInches(mm: number): number {
  return mm / mmPerInch
}

/** How a page is laid out and printed. */
export function toPrint(options: PrintOptions) {
  const { media = 'print' } = options
  return { viewport: printViewport, media, print: toPrintParameters(options) }
}

/** Prints one of our HTML files, which has everything embedded. Its headings become the outline of the PDF. */
export function printStep(input: string, output: string, options: PrintOptions, limits: StepLimits): CallStep {
  const { print, ...look } = toPrint(options)
  const outlined = { ...print, generateDocumentOutline: true, generateTaggedPDF: true }
  const request = { op: 'pdf', loadMs: pageLimits.loadMs, ...look, print: outlined, input, output }
  return { kind: 'call', runner: 'browser', request, outputs: [output], limits, weight: 3 }
}
