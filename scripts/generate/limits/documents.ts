import { compareLimits } from '../../../packages/engines/src/compare/limits.ts'
import { documentLimits } from '../../../packages/engines/src/documents/limits.ts'
import { importLimits, pdfLimits, repairSeconds } from '../../../packages/engines/src/pages/limits.ts'
import { count, type LimitGroup, seconds, unmeasured } from './limit.ts'

const importBeyond = 'The result has the text in paragraphs and the images instead, with a warning.'

/** Limits of PDFs and office documents. */
export const documents: LimitGroup = {
  title: 'Documents',
  limits: [
    {
      id: 'L-pages',
      name: 'Pages of a PDF, or of the result of a merge',
      value: count(pdfLimits.pages),
      beyond: 'The task fails with `limit_exceeded`. Split the document.',
      real: 'pdfPages',
    },
    {
      id: 'L-compare-pages',
      name: 'Pages of each PDF of a comparison',
      value: count(compareLimits.pages),
      beyond: 'The task fails with `limit_exceeded`. Split both files.',
      real: unmeasured.pair,
    },
    {
      id: 'L-compare-lines',
      name: 'Lines of each text of a comparison, without empty ones',
      value: count(compareLimits.lines),
      beyond: 'The task fails with `limit_exceeded`. Split both files.',
      real: unmeasured.pair,
    },
    {
      id: 'L-pages',
      name: 'Pages or slides of an office document that becomes a PDF or images',
      value: count(documentLimits.pages),
      beyond: 'The task fails with `limit_exceeded`. Split the document.',
      real: 'officePages',
    },
    {
      id: 'L-points',
      name: 'Longest side of a PDF page, in points',
      value: count(pdfLimits.points),
      beyond: 'The task fails with `limit_exceeded`: PDF allows no larger pages. Scale the page down.',
      real: 'pdfPoints',
    },
    {
      id: 'L-side',
      name: 'Longest side of a page drawn as an image, in pixels',
      value: count(pdfLimits.side),
      beyond:
        'At the default resolution the page is scaled down, with a warning. If a resolution or size was asked for, the task fails with `limit_exceeded`: ask for a smaller one.',
      real: 'drawnSide',
    },
    {
      id: 'L-pdf-import',
      name: 'Drawings of a PDF that becomes docx, odt or rtf with its layout',
      value: count(importLimits.drawings),
      beyond: importBeyond,
      real: { reason: 'First targets only: this run makes images of PDFs.' },
    },
    {
      id: 'L-pdf-import',
      name: 'Characters of a PDF that becomes docx, odt or rtf with its layout',
      value: count(importLimits.characters),
      beyond: importBeyond,
      real: { reason: 'First targets only: this run makes images of PDFs.' },
    },
    {
      id: 'L-pdf-import',
      name: 'Time to place a PDF in a docx, odt or rtf',
      value: seconds(importLimits.timeMs / 1000),
      beyond: importBeyond,
      real: unmeasured.time,
    },
    {
      id: 'L-repair-time',
      name: 'Time for each attempt to repair a damaged PDF',
      value: seconds(repairSeconds),
      beyond: 'The next program tries. If none can repair the file, the task fails with `input_damaged`.',
      real: unmeasured.time,
    },
  ],
}
