import { type Failure, failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Plan } from '../engine.ts'
import { listPages } from '../page-ranges.ts'
import { pdfLimits } from '../pages/limits.ts'
import { pagesByFile } from './merge-options.ts'
import { type MergeRequest, mergePart } from './merge-part.ts'
import { mergeToGif } from './merge-to-gif.ts'
import { type OpenPart, openParts } from './open-parts.ts'
import type { PdfOptions } from './pdf-options.ts'
import { joinStep } from './select-step.ts'
import { tidyStep, tidyWarnings } from './tidy-step.ts'

/** Plans the merge of files into one, in their order. */
export function merge(request: MergeRequest): Plan | Failure {
  const { sources, options, to } = request
  if (sources.length < 2) return failure('unsupported', { text: 'A merge needs at least two files.' })
  const stranger = [...pagesByFile(options.pages).keys()].find((file) => file < 1 || file > sources.length)
  if (stranger !== undefined) {
    return failure('unsupported', { text: `The option pages names file ${stranger}; there are ${sources.length}.` })
  }
  return to === 'gif' ? mergeToGif(request) : mergeToPdf(request)
}

// First each file becomes a PDF, then the chosen pages are joined.
function mergeToPdf(request: MergeRequest): Plan | Failure {
  const { sources, options } = request
  const parts = allOrFailure(sources.map((_, n) => mergePart(request, n)))
  return isFailure(parts) ? parts : openParts(parts, options, (open) => putTogether(open, options))
}

const outputs = [{ file: 'out-0.pdf', format: 'pdf' }]

function putTogether(parts: readonly OpenPart[], options: PdfOptions): Plan | Failure {
  const total = parts.reduce((sum, { ranges }) => sum + listPages(ranges).length, 0)
  if (total > pdfLimits.pages) {
    return failure('limit_exceeded', { text: `The result would have ${total} pages; ${pdfLimits.pages} are allowed.` })
  }
  const tidy = tidyStep('a-0.pdf', 'out-0.pdf', { keepAttachments: options.keep_attachments ?? false })
  return {
    kind: 'plan',
    steps: [joinStep(parts, 'a-0.pdf'), tidy],
    outputs,
    warnings: [],
    next: ({ stdout }) => ({ kind: 'plan', steps: [], outputs, warnings: tidyWarnings(stdout.join('\n')) }),
  }
}
