import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { findWriter, type OfficeFormat } from '../office/formats.ts'
import { officeStepLimits } from '../office/limits.ts'
import { toRequest } from '../office/request.ts'
import { exportWhole } from './export.ts'
import type { OpenPdf } from './open-pdf.ts'
import { documentOptions, pages } from './options.ts'
import { pagesOption } from './page-ranges.ts'
import { type Stage, tidy } from './rewrite.ts'

/** The documents a PDF can become again. */
export const officeTargets = ['docx', 'odt', 'rtf'] as const

const reader: OfficeFormat = { ext: 'pdf', program: 'writer', reads: 'writer_pdf_import', isExact: true }

/** What can be chosen, with a word on what to expect. */
export const toOfficeOptions = documentOptions.map((option) =>
  option === pages
    ? pagesOption(
        'Which pages to take; all if left out. Each line of text becomes a text box: good for taking text and images out of a PDF, not for editing its layout.',
      )
    : option,
)

const lossy =
  'A PDF keeps lines of text, not paragraphs: each line is a text box in the result. Text and images can be taken out, but text does not flow when it is edited, and tables, headings and notes are not restored.'

/** Plans a document that can be written in: LibreOffice puts the words and pictures where they were. */
export function toOffice(to: string, options: Readonly<Record<string, unknown>>, opened: OpenPdf): Plan | Failure {
  const writer = findWriter('writer', to)
  if (writer === undefined) return failure('unsupported')
  const write: Stage = (file, out) => {
    const source = { file, format: 'pdf', size: 0, filename: '' }
    const request = toRequest(source, reader, { file: out, writer }, {})
    return { kind: 'call', runner: 'office', request, outputs: [out], limits: officeStepLimits }
  }
  const plan = exportWhole(opened, options, { format: to, stages: [tidy({}), write] })
  return isFailure(plan) ? plan : { ...plan, warnings: [...plan.warnings, lossy] }
}
