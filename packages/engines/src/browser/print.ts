import type { CallStep, JsonObject, StepLimits } from '../engine.ts'
import { pageLimits } from './limits.ts'
import { paperSizes } from './options.ts'

type Options = Readonly<Record<string, unknown>>

const mmPerInch = 25.4
// What a page that is printed is laid out for before it is; the sheets then decide.
const printViewport = { width: 1280, height: 800 }

/** What `Page.printToPDF` takes, by its own names; it counts in inches. */
export function toPrint(options: Options): JsonObject {
  const { paper_size = 'a4', orientation, margin = 10, print_background = true, scale = 1, pages, media } = options
  const [width, height] = paperSizes[paper_size as keyof typeof paperSizes]
  const inches = Number(margin) / mmPerInch
  return {
    viewport: printViewport,
    media: media === 'screen' ? 'screen' : 'print',
    print: {
      paperWidth: width / mmPerInch,
      paperHeight: height / mmPerInch,
      landscape: orientation === 'landscape',
      marginTop: inches,
      marginBottom: inches,
      marginLeft: inches,
      marginRight: inches,
      printBackground: print_background === true,
      scale: Number(scale),
      ...(pages !== undefined && { pageRanges: String(pages) }),
    },
  }
}

/** Prints an HTML file of ours that holds all it shows. Its headings become the outline of the PDF. */
export function printStep(input: string, output: string, options: Options, limits: StepLimits): CallStep {
  const { print, ...look } = toPrint(options)
  const outlined = { ...(print as JsonObject), generateDocumentOutline: true, generateTaggedPDF: true }
  const request = { op: 'pdf', loadMs: pageLimits.loadMs, ...look, print: outlined, input, output }
  return { kind: 'call', runner: 'browser', request, outputs: [output], limits, weight: 3 }
}
