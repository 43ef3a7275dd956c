import type { ProcessStep } from '../engine.ts'
import { processStep } from '../pages/process-step.ts'
import { tidyScript } from './tidy-script.ts'

/** The part of a page to keep, in points from the top left corner of the page as it is shown. */
export interface CropArea {
  readonly x: number
  readonly y: number
  /** 0 means up to the edge of the page. */
  readonly width: number
  readonly height: number
}

export interface TidyRequest {
  readonly keepAttachments: boolean
  readonly crop?: { readonly area: CropArea; readonly pages: readonly number[] }
  /** Whether to count and measure the pages, for `readMeasure`. */
  readonly isMeasured?: boolean
}

/** Removes active content from a PDF; `tidyWarnings` reads what it reports. */
export function tidyStep(
  file: string,
  out: string,
  { keepAttachments, crop, isMeasured = false }: TidyRequest,
): ProcessStep {
  const ask = JSON.stringify({
    keepAttachments,
    crop: crop?.area ?? null,
    pages: crop?.pages ?? [],
    measure: isMeasured,
  })
  return processStep('python3', ['tidy.py', file, out, 'tidy.json'], {
    out,
    modules: { tidy: tidyScript },
    writes: [{ file: 'tidy.json', text: ask }],
    capture: true,
    readExit: readPythonExit,
    weight: 0.3,
  })
}

const words: readonly (readonly [string, string])[] = [
  ['scripts', 'Scripts and actions that open, run or send something were taken out of the PDF.'],
  ['attachments', 'Attached files were taken out of the PDF.'],
  ['media', 'Sound, video and 3D were taken out of the PDF. The images that stand for them on the page stay.'],
  ['signatures', 'The PDF was signed; the signatures do not hold for the result and were taken out.'],
]

/** Warnings about what `tidyStep` removed; a PDF that stays a PDF can keep its attachments. */
export function tidyWarnings(stdout: string, { staysPdf = true } = {}): readonly string[] {
  const found = readCounts(stdout)
  return words
    .filter(([kind]) => (found[kind] ?? 0) > 0)
    .map(([kind, text]) =>
      kind === 'attachments' && staysPdf ? `${text} The option keep_attachments keeps them.` : text,
    )
}

/** The page count and page size of a tidied PDF. */
export interface Measure {
  readonly pages: number
  /** The longest side of all pages, in points, rounded up, and the page that has it. */
  readonly points: number
  readonly longest: number
}

/** Reads how many pages `tidyStep` found and how long they are; undefined if it failed before it measured them. */
export function readMeasure(stdout: string): Measure | undefined {
  const { pages = 0, points = 0, longest = 1 } = readCounts(stdout)
  return pages > 0 ? { pages, points, longest } : undefined
}

function readCounts(stdout: string): Readonly<Record<string, number>> {
  return JSON.parse(/^\{("[a-z]+": \d+(, )?)+\}$/m.exec(stdout)?.[0] ?? '{}')
}

// qpdf inside Python raises PdfError for input that it cannot read; a Python exception exits with 1.
function readPythonExit({ code, stderr }: { code: number; stderr: string }) {
  if (code !== 1 || !/PdfError|PasswordError|ForeignObjectError/.test(stderr)) return undefined
  return { kind: 'failure', code: 'input_damaged', detail: stderr } as const
}
