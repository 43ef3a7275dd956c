import { type Failure, failure } from '@lathe/domain'
import { findReader, type OfficeFormat } from '../documents/formats.ts'
import { officeStepLimits } from '../documents/limits.ts'
import { toRequest } from '../documents/request.ts'
import type { CallStep, Findings, Plan, Tolerated } from '../engine.ts'
import { importLimits } from '../pages/limits.ts'
import type { PageSize } from '../pages/probe.ts'
import { processStep } from '../pages/process-step.ts'
import { flowScript } from './flow-script.ts'

/** A PDF to convert to a document with flowing text, and the format that is written. */
export interface SimpleDocument {
  readonly file: string
  readonly out: string
  readonly writer: OfficeFormat
  readonly size: PageSize
}

const inParagraphs =
  'The PDF holds more drawings or text than can be placed one by one, or its layout cannot be read, so the layout is not kept: the result has the text in paragraphs and the images. Drawings, columns and tables are lost; a page without text is an image.'
const asPlainText =
  'The pages of the PDF take too long to draw, so the result has only their text, without layout and images.'
const nothing = 'The pages of this PDF take too long to draw and hold no text.'

const otherWay: Tolerated = { hasFailed: true }

/** Plans a document with the text and images of a PDF, or with its text alone if its pages cannot be drawn. */
export function simpleDocument(pdf: SimpleDocument): Plan {
  const page = 'flow-0.html'
  const { textSeconds } = importLimits
  const size = [pdf.size.width, pdf.size.height].map((side) => String(Math.round(side)))
  const flow = processStep('python3', ['flow.py', pdf.file, page, String(textSeconds), ...size], {
    out: page,
    modules: { flow: flowScript },
    readExit: () => otherWay,
  })
  return {
    kind: 'plan',
    steps: [flow],
    outputs: [],
    warnings: [],
    next: (found) => (hasFailed(found) ? plainDocument(pdf) : writeFrom(page, pdf, inParagraphs, true)),
  }
}

function plainDocument(pdf: SimpleDocument): Plan {
  const text = 'flow-0.txt'
  const args = ['-enc', 'UTF-8', '-eol', 'unix', '-cropbox', '-nopgbrk', pdf.file, text]
  const read = processStep('timeout', [String(importLimits.textSeconds), 'pdftotext', ...args], {
    out: text,
    readExit: () => otherWay,
  })
  return {
    kind: 'plan',
    steps: [read],
    outputs: [],
    warnings: [],
    // A page without words still leaves a line break.
    next: ({ sizes }) =>
      (sizes[text] ?? 0) > 1
        ? writeFrom(text, pdf, asPlainText, false)
        : failure('limit_exceeded', { text: nothing, detail: 'neither MuPDF nor poppler came to an end' }),
  }
}

function writeFrom(file: string, pdf: SimpleDocument, warning: string, canFail: boolean): Plan | Failure {
  const { out, writer } = pdf
  const format = file.slice(file.lastIndexOf('.') + 1)
  const reader = findReader(format)
  if (reader === undefined) return failure('unsupported')
  const request = toRequest({ file, format, size: 0, filename: '' }, reader, { file: out, writer }, {})
  const write: CallStep = { kind: 'call', runner: 'office', request, outputs: [out], limits: officeStepLimits }
  const outputs = [{ file: out, format: writer.ext, source: 0 }]
  const done: Plan = { kind: 'plan', steps: [], outputs, warnings: [warning] }
  if (!canFail) return { ...done, steps: [write] }
  return {
    ...done,
    steps: [{ ...write, readFailure: yieldToOther }],
    warnings: [],
    next: (found) => (hasFailed(found) ? plainDocument(pdf) : done),
  }
}

/** Whether a step failed whose plan has a fallback. */
export function hasFailed({ failed = [] }: Findings): boolean {
  return failed.includes(true)
}

/** Lets a plan use its fallback if LibreOffice timed out, ran out of memory or crashed. */
export function yieldToOther({ code }: Failure): Tolerated | undefined {
  const isBeyond = code === 'engine_timeout' || code === 'limit_exceeded' || code === 'engine_crashed'
  return isBeyond ? otherWay : undefined
}
