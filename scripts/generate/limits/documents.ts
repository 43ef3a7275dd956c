import { compareLimits } from '../../../packages/engines/src/compare/limits.ts'
import { documentLimits } from '../../../packages/engines/src/documents/limits.ts'
import { importLimits, pdfLimits, repairSeconds } from '../../../packages/engines/src/pages/limits.ts'
import { count, type LimitGroup, seconds, threeSteps, unmeasured } from './limit.ts'

const file = 'e2e/src/attacks/limits/documents.test.ts'
const compared = 'packages/engines/src/compare/compare.int.test.ts'
const repair = 'packages/engines/src/pdf/repair.int.test.ts'
const points = (side: number, isAllowed: boolean) =>
  `packages/engines/src/pdf/pdf.test.ts: the limits of a document > allow pages of ${side} points: ${isAllowed}`

const placing = 'packages/engines/src/pdf/to-office.test.ts: a PDF that becomes a document'
const importTests = [
  `${placing} > is measured, then converted by LibreOffice`,
  `${placing} > at the limit is still converted by LibreOffice`,
  `${placing} > and has %s has its text in paragraphs instead`,
]
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
      tests: threeSteps(file, 'pages of a PDF, 10,000'),
      real: 'pdfPages',
    },
    {
      id: 'L-compare-pages',
      name: 'Pages of each PDF of a comparison',
      value: count(compareLimits.pages),
      beyond: 'The task fails with `limit_exceeded`. Split both files.',
      tests: threeSteps(compared, 'pages of a PDF to compare, 100'),
      real: unmeasured.pair,
    },
    {
      id: 'L-compare-lines',
      name: 'Lines of each text of a comparison, without empty ones',
      value: count(compareLimits.lines),
      beyond: 'The task fails with `limit_exceeded`. Split both files.',
      tests: threeSteps(compared, 'lines of a text to compare, 50,000'),
      real: unmeasured.pair,
    },
    {
      id: 'L-pages',
      name: 'Pages or slides of an office document that becomes a PDF or images',
      value: count(documentLimits.pages),
      beyond: 'The task fails with `limit_exceeded`. Split the document.',
      tests: threeSteps(file, 'pages of an office document, 10,000'),
      real: 'officePages',
    },
    {
      id: 'L-points',
      name: 'Longest side of a PDF page, in points',
      value: count(pdfLimits.points),
      beyond: 'The task fails with `limit_exceeded`: PDF allows no larger pages. Scale the page down.',
      tests: [points(14_399, true), points(14_400, true), points(14_401, false)],
      real: 'pdfPoints',
    },
    {
      id: 'L-side',
      name: 'Longest side of a page drawn as an image, in pixels',
      value: count(pdfLimits.side),
      beyond:
        'At the default resolution the page is scaled down, with a warning. If a resolution or size was asked for, the task fails with `limit_exceeded`: ask for a smaller one.',
      tests: threeSteps(file, 'pixels a side of a drawn page, 10,000'),
      real: 'drawnSide',
    },
    {
      id: 'L-pdf-import',
      name: 'Drawings of a PDF that becomes docx, odt or rtf with its layout',
      value: count(importLimits.drawings),
      beyond: importBeyond,
      tests: importTests,
      real: { reason: 'First targets only: this run makes images of PDFs.' },
    },
    {
      id: 'L-pdf-import',
      name: 'Characters of a PDF that becomes docx, odt or rtf with its layout',
      value: count(importLimits.characters),
      beyond: importBeyond,
      tests: importTests,
      real: { reason: 'First targets only: this run makes images of PDFs.' },
    },
    {
      id: 'L-pdf-import',
      name: 'Time to place a PDF in a docx, odt or rtf',
      value: seconds(importLimits.timeMs / 1000),
      beyond: importBeyond,
      tests: [`${placing} > has its text in paragraphs where LibreOffice does not come to an end or cannot read it`],
      real: unmeasured.time,
    },
    {
      id: 'L-repair-time',
      name: 'Time for each attempt to repair a damaged PDF',
      value: seconds(repairSeconds),
      beyond: 'The next program tries. If none can repair the file, the task fails with `input_damaged`.',
      tests: [
        `${repair}: time for a repair, 30 s > is what every repair is given`,
        `${repair}: time for a repair, 30 s > is enough for a PDF that is repaired sooner`,
        `${repair}: time for a repair, 30 s > ends a repair that takes longer, and the next one is tried`,
      ],
      real: unmeasured.time,
    },
  ],
}
