import { type Failure, failure, isFailure } from '@lathe/domain'
import { allOrFailure } from '../all-or-failure.ts'
import type { Plan, PlanRequest, Step } from '../engine.ts'
import { pdfLimits } from './limits.ts'
import { pagesByFile } from './merge-options.ts'
import { type MergePart, mergePart } from './merge-part.ts'
import { unlockStep } from './open-pdf.ts'
import { listPages, type PageRange, parsePages } from './page-ranges.ts'
import { type PdfInfo, probeStep, readPdfInfo } from './probe.ts'
import { joinStep, type Selection } from './select-step.ts'
import { tidyStep, tidyWarnings } from './tidy-step.ts'

type Options = Readonly<Record<string, unknown>>

/** Plans one PDF of many files in their order: first each becomes a PDF, then the wanted pages are put together. */
export function merge(request: PlanRequest): Plan | Failure {
  const { sources, options } = request
  if (sources.length < 2) return failure('unsupported', { text: 'A merge needs at least two files.' })
  const stranger = [...pagesByFile(options.pages).keys()].find((file) => file < 1 || file > sources.length)
  if (stranger !== undefined) {
    return failure('unsupported', { text: `The option pages names file ${stranger}; there are ${sources.length}.` })
  }
  const parts = allOrFailure(sources.map((_, n) => mergePart(request, n)))
  if (isFailure(parts)) return parts
  const steps = parts.flatMap(({ steps, file }) => [...steps, probeStep(file)])
  return {
    kind: 'plan',
    steps,
    outputs,
    warnings: [],
    next({ stdout }) {
      const answers = stdout.filter((_, n) => isProbe(steps[n]))
      const infos = allOrFailure(answers.map(readPdfInfo).map(inFile))
      return isFailure(infos) ? infos : putTogether(parts, infos, options)
    },
  }
}

const outputs = [{ file: 'out-0.pdf', format: 'pdf' }]

function isProbe(step: Step | undefined): boolean {
  return step?.kind === 'process' && step.program === 'pdfinfo'
}

// With many files it matters which one is meant.
function inFile<T>(found: T | Failure, n: number): T | Failure {
  return isFailure(found) && found.text !== undefined ? { ...found, text: `File ${n + 1}: ${found.text}` } : found
}

function putTogether(parts: readonly MergePart[], infos: readonly PdfInfo[], options: Options): Plan | Failure {
  const asked = pagesByFile(options.pages)
  const chosen = allOrFailure(infos.map(({ pages }, n) => inFile(parsePages(asked.get(n + 1), pages.length), n)))
  if (isFailure(chosen)) return chosen
  const total = chosen.reduce((sum, ranges) => sum + listPages(ranges).length, 0)
  if (total > pdfLimits.pages) {
    return failure('limit_exceeded', { text: `The result would have ${total} pages; ${pdfLimits.pages} are allowed.` })
  }
  const unlocking: Step[] = []
  const selections = parts.map(({ file }, n): Selection => {
    const ranges: readonly PageRange[] = chosen[n] ?? []
    if (!infos[n]?.isEncrypted) return { file, ranges }
    const open = `open-${n}.pdf`
    unlocking.push(unlockStep(file, open))
    return { file: open, ranges }
  })
  const tidy = tidyStep('a-0.pdf', 'out-0.pdf', { keepAttachments: options.keep_attachments === true })
  return {
    kind: 'plan',
    steps: [...unlocking, joinStep(selections, 'a-0.pdf'), tidy],
    outputs,
    warnings: [],
    next: ({ stdout }) => ({ kind: 'plan', steps: [], outputs, warnings: tidyWarnings(stdout.join('\n')) }),
  }
}
