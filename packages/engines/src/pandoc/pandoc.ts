import { failure, isFailure } from '@lathe/domain'
import type { Engine, Plan, ProcessStep, SourceFile, Step } from '../engine.ts'
import { printLimits } from '../markup/limits.ts'
import { reportOf } from '../markup/script-step.ts'
import { checkOneSource } from '../plan-options.ts'
import { printStep } from '../printing/print.ts'
import { abilities } from './abilities.ts'
import { bookStep, decodeStep } from './book-step.ts'
import { bookMargin, optionsByOutput, type PandocOptions } from './options.ts'
import { bookPage, github, pandocSteps, toRawHtml } from './pandoc-step.ts'
import { findReader, type Reader } from './readers.ts'
import { markupTool } from './tool.ts'
import { warningTexts } from './warnings.ts'

interface Job {
  readonly source: SourceFile
  readonly to: string
  readonly options: PandocOptions
  readonly warnings: readonly string[]
}

const page = 'page.html'
const text = 'text.md'

/** Books and marked-up text: read by our scripts and by Pandoc, written by Pandoc, printed by the browser. */
export const pandoc: Engine = {
  id: 'pandoc',
  family: 'browser',
  tools: [markupTool],
  cost: { startS: 1, perMiBS: 3 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective: options, warnings } = checked
    const job = { source, to: request.to, options, warnings }
    if (isBook(source.format)) return planBook(job, source.format)
    const reader = findReader(source.format)
    return reader ? planText(job, reader) : failure('unsupported')
  },

  planFirstPage(source) {
    return isBook(source.format) ? planCover(source, source.format) : undefined
  },
}

type BookKind = 'epub' | 'fb2' | 'mobi'
const isBook = (format: string): format is BookKind => ['epub', 'fb2', 'mobi'].includes(format)

function planBook(job: Job, kind: BookKind): Plan {
  // Pandoc sets the title itself where a format has a field for it, and an EPUB has a title page in print.
  const titled = [...(kind === 'fb2' ? ['pdf', 'html'] : []), 'txt', 'md'].includes(job.to)
  const made = toPage(job, { kind, input: job.source.file, titled })
  return { ...planOf([made], job), warnings: job.warnings, next: ({ stdout }) => finish(job, stdout) }
}

// Covers have about the proportions of this paper.
const coverPaper = { paper_size: 'a5', margin: 0 } as const

function planCover(source: SourceFile, kind: BookKind): Plan {
  const file = 'out-0.pdf'
  const plain = { titled: false, untitled: '', contents: false, remote: false }
  const made = bookStep({ kind, input: source.file, output: page, ...plain, first: true })
  const printed = printStep(page, file, coverPaper, printLimits)
  return { kind: 'plan', steps: [made, printed], outputs: [{ file, format: 'pdf', source: 0 }], warnings: [] }
}

function planText(job: Job, reader: Reader): Plan {
  const { file, format } = job.source
  if (reader.isPacked) return { ...writeText(job, reader, file), warnings: job.warnings }
  const first = decodeStep(format, file, text)
  const next: Plan['next'] = ({ stdout }) => {
    const plan = writeText(job, format === 'md' ? (dialectOf(job, stdout) ?? reader) : reader, text)
    return { ...plan, warnings: [...warningTexts(stdout, job.to), ...plan.warnings] }
  }
  return { ...planOf([first], job), warnings: job.warnings, next }
}

// Most files are written for GitHub. Pandoc's own reader is for those that use its syntax.
function dialectOf({ options }: Job, stdout: readonly string[]): Reader | undefined {
  const given = options.dialect
  const found = given === 'auto' || given === undefined ? reportOf(stdout).dialect : given
  return found === 'pandoc' ? undefined : github
}

function writeText(job: Job, reader: Reader, input: string): Plan {
  const { to } = job
  if (to !== 'html' && to !== 'pdf') {
    const steps = pandocSteps(to, { ...documentOptions(job), reader, input, output: `out-0.${to}` })
    return { ...planOf(steps, job), next: (end) => planOf([], job, warningTexts(end.stdout, to)) }
  }
  const steps = [toRawHtml(reader, input, 'raw.html'), toPage(job, { kind: 'html', input: 'raw.html', titled: true })]
  return { ...planOf(steps, job), next: (end) => finish(job, end.stdout) }
}

function toPage({ to, options }: Job, made: { kind: BookKind | 'html'; input: string; titled: boolean }) {
  const isWritten = to === 'pdf' || to === 'html'
  return bookStep({
    ...made,
    output: to === 'html' ? 'out-0.html' : page,
    // These formats print the title; the others only need some name for the document.
    untitled: ['docx', 'odt', 'rtf'].includes(to) ? '' : 'Untitled',
    contents: isWritten && options.table_of_contents === true,
    remote: to === 'html' && made.kind === 'html',
    ...(to === 'pdf' && { fontSize: options.font_size ?? 11 }),
  })
}

/** Plans the conversion of the page to the requested format. */
function finish(job: Job, stdout: readonly string[]): Plan {
  const { to, options } = job
  const warnings = warningTexts(stdout, to)
  if (to === 'html') return planOf([], job, warnings)
  const file = `out-0.${to}`
  if (to !== 'pdf') {
    const steps = pandocSteps(to, { ...documentOptions(job), reader: bookPage, input: page, output: file })
    return { ...planOf(steps, job, warnings), next: (end) => planOf([], job, warningTexts(end.stdout, to)) }
  }
  const printed = { ...options, margin: options.margin ?? bookMargin }
  return planOf([printStep(page, file, printed, printLimits)], job, warnings)
}

// An option that the format does not take must stay undefined.
function documentOptions({ options, to }: Job) {
  const wraps = optionsByOutput[to]?.some(({ name }) => name === 'line_length')
  const lineLength = options.line_length ?? (wraps ? 80 : undefined)
  return {
    contents: options.table_of_contents === true,
    ...(lineLength !== undefined && { lineLength }),
  }
}

function planOf(steps: readonly (Step | ProcessStep)[], { to }: Job, warnings: readonly string[] = []): Plan {
  return { kind: 'plan', steps, outputs: [{ file: `out-0.${to}`, format: to, source: 0 }], warnings }
}
