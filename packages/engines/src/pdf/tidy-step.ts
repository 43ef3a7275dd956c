import type { ProcessStep } from '../engine.ts'
import { processStep } from './process-step.ts'
import { tidyScript } from './tidy-script.ts'

/** The part of a page to keep, in points from the top left corner of the page as it is shown. */
export interface CropArea {
  readonly x: number
  readonly y: number
  /** To the edge of the page if 0. */
  readonly width: number
  readonly height: number
}

export interface TidyRequest {
  readonly keepAttachments: boolean
  readonly crop?: { readonly area: CropArea; readonly pages: readonly number[] }
}

/** Takes out of a PDF whatever acts by itself; `tidyWarnings` reads what it says. */
export function tidyStep(file: string, out: string, { keepAttachments, crop }: TidyRequest): ProcessStep {
  const ask = JSON.stringify({ keepAttachments, crop: crop?.area ?? null, pages: crop?.pages ?? [] })
  return processStep('python3', ['-I', 'tidy.py', file, out, 'tidy.json'], {
    out,
    writes: [
      { file: 'tidy.py', text: tidyScript },
      { file: 'tidy.json', text: ask },
    ],
    capture: true,
    readExit: readPythonExit,
    weight: 0.3,
  })
}

const words: readonly (readonly [string, string])[] = [
  ['scripts', 'Scripts and actions that open, run or send something were taken out of the PDF.'],
  ['attachments', 'Attached files were taken out of the PDF. The option keep_attachments keeps them.'],
  ['media', 'Sound, film and 3D were taken out of the PDF.'],
  ['signatures', 'The PDF was signed; the signatures do not hold for the result and were taken out.'],
]

/** What the owner should know of what `tidyStep` took out. */
export function tidyWarnings(stdout: string): readonly string[] {
  const counts = /^\{("[a-z]+": \d+(, )?)+\}$/m.exec(stdout)?.[0] ?? '{}'
  const found = JSON.parse(counts) as Record<string, number>
  return words.filter(([kind]) => (found[kind] ?? 0) > 0).map(([, text]) => text)
}

// qpdf inside Python raises PdfError for what it cannot read; a Python exception ends with 1.
function readPythonExit({ code, stderr }: { code: number; stderr: string }) {
  if (code !== 1 || !/PdfError|PasswordError|ForeignObjectError/.test(stderr)) return undefined
  return { kind: 'failure', code: 'input_damaged', detail: stderr } as const
}
