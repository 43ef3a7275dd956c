import { type Failure, failure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { findWriter, type OfficeFormat } from '../office/formats.ts'
import { officeStepLimits } from '../office/limits.ts'
import { toRequest } from '../office/request.ts'
import { exportWhole } from './export.ts'
import type { OpenPdf } from './open-pdf.ts'
import { type Stage, tidy } from './rewrite.ts'

/** The documents a PDF can become again. */
export const officeTargets = ['docx', 'odt', 'rtf'] as const

const reader: OfficeFormat = { ext: 'pdf', program: 'writer', reads: 'writer_pdf_import', isExact: true }

/** Plans a document that can be written in: LibreOffice puts the words and pictures where they were. */
export function toOffice(to: string, options: Readonly<Record<string, unknown>>, opened: OpenPdf): Plan | Failure {
  const writer = findWriter('writer', to)
  if (writer === undefined) return failure('unsupported')
  const write: Stage = (file, out) => {
    const source = { file, format: 'pdf', size: 0, filename: '' }
    const request = toRequest(source, reader, { file: out, writer }, {})
    return { kind: 'call', runner: 'office', request, outputs: [out], limits: officeStepLimits }
  }
  return exportWhole(opened, options, { format: to, stages: [tidy({}), write] })
}
