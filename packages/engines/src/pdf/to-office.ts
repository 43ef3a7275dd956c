import { type Failure, failure, isFailure } from '@lathe/domain'
import { findWriter, type OfficeFormat } from '../documents/formats.ts'
import { officeStepLimits } from '../documents/limits.ts'
import { toRequest } from '../documents/request.ts'
import type { CallStep, Plan, Tolerated } from '../engine.ts'
import { pagesOption } from '../page-ranges.ts'
import { importLimits } from '../pages/limits.ts'
import type { OpenPdf } from '../pages/open-pdf.ts'
import { documentOptions, pages } from '../pages/options.ts'
import { exportWhole } from './export.ts'
import type { PdfOptions } from './pdf-options.ts'
import { tidy } from './rewrite.ts'
import { hasFailed, type SimpleDocument, simpleDocument, yieldToOther } from './simple-document.ts'
import { tidyWarnings } from './tidy-step.ts'
import { readWeight, weighStep } from './weigh-step.ts'

/** The document formats that a PDF can be converted to. */
export const officeTargets = ['docx', 'odt', 'rtf'] as const

const reader: OfficeFormat = { ext: 'pdf', program: 'writer', reads: 'writer_pdf_import', isExact: true }

/** The options, with a hint about what to expect. */
export const toOfficeOptions = documentOptions.map((option) =>
  option === pages
    ? pagesOption(
        'Pages to convert. Default: all pages. Each line of text becomes a text box: good for taking text and images out of a PDF, not for editing its layout. A PDF with too much on its pages for that becomes text in paragraphs with images.',
      )
    : option,
)

const lossy =
  'A PDF keeps lines of text, not paragraphs: each line is a text box in the result. Text and images can be taken out, but text does not flow when it is edited, and tables, headings and notes are not restored.'

/**
 * Plans an editable document: LibreOffice puts the words and images where they were. If it would take too long, or
 * does, the document has the text in paragraphs instead.
 */
export function toOffice(to: string, options: PdfOptions, opened: OpenPdf): Plan | Failure {
  const writer = findWriter('writer', to)
  if (writer === undefined) return failure('unsupported')
  const before = exportWhole(opened, options, { format: 'pdf', stages: [tidy({})] })
  if (isFailure(before)) return before
  const file = `out-${opened.number}.pdf`
  const size = opened.info.pages[0] ?? { width: 595, height: 842 }
  const pdf: SimpleDocument = { file, out: `out-${opened.number}.${to}`, writer, size }
  return {
    ...before,
    steps: [...before.steps, weighStep(file)],
    next({ stdout }) {
      const isHeavy = readWeight(stdout.at(-1) ?? '') !== undefined
      const plan = isHeavy ? simpleDocument(pdf) : importWhole(pdf)
      const tidied = tidyWarnings(stdout.slice(0, -1).join('\n'), { staysPdf: false })
      return { ...plan, warnings: [...tidied, ...plan.warnings] }
    },
  }
}

// We have just written this file ourselves: if LibreOffice cannot read it, the input is not to blame.
function readFailure(found: Failure): Tolerated | undefined {
  return found.code === 'input_damaged' ? { hasFailed: true } : yieldToOther(found)
}

function importWhole(pdf: SimpleDocument): Plan {
  const { file, out, writer } = pdf
  const request = toRequest({ file, format: 'pdf', size: 0, filename: '' }, reader, { file: out, writer }, {})
  const limits = { ...officeStepLimits, timeMs: importLimits.timeMs }
  const call: CallStep = { kind: 'call', runner: 'office', request, outputs: [out], limits, readFailure }
  const outputs = [{ file: out, format: writer.ext, source: 0 }]
  return {
    kind: 'plan',
    steps: [call],
    outputs,
    warnings: [],
    next: (found) => (hasFailed(found) ? simpleDocument(pdf) : { kind: 'plan', steps: [], outputs, warnings: [lossy] }),
  }
}
