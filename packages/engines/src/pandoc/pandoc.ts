import { isFailure } from '@lathe/domain'
import { printStep } from '../browser/print.ts'
import type { Engine, Plan, ProcessStep, SourceFile, Step } from '../engine.ts'
import { checkOneSource } from '../plan-options.ts'
import { abilities } from './abilities.ts'
import { bookStep, decodeStep } from './book-step.ts'
import { printLimits } from './limits.ts'
import { bookMargin } from './options.ts'
import { pandocStep, toRawHtml } from './pandoc-step.ts'
import { reportOf } from './script-step.ts'
import { markupTool } from './tool.ts'
import { warningTexts } from './warnings.ts'

interface Job {
  readonly source: SourceFile
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

const page = 'page.html'

/** Books and marked-up text: read by scripts of ours and by Pandoc, written by Pandoc, printed by the browser. */
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
    return source.format === 'md' ? planText(job) : planBook(job, source.format === 'fb2' ? 'fb2' : 'epub')
  },
}

function planBook(job: Job, kind: 'epub' | 'fb2'): Plan {
  // Pandoc sets the title itself where a format has a place for it, and an EPUB has a page for it in print.
  const titled = [...(kind === 'fb2' ? ['pdf', 'html'] : []), 'txt', 'md'].includes(job.to)
  const made = toPage(job, { kind, input: job.source.file, titled })
  return { ...planOf([made], job), warnings: job.warnings, next: ({ stdout }) => finish(job, stdout) }
}

function planText(job: Job): Plan {
  const first = decodeStep(job.source.file, 'text.md')
  const next: Plan['next'] = ({ stdout }) => {
    const given = job.options.dialect
    const found = given === 'auto' || given === undefined ? reportOf(stdout).dialect : given
    const reader = found === 'pandoc' ? 'pandoc' : 'github'
    if (job.to !== 'html' && job.to !== 'pdf') {
      const written = pandocStep(job.to, { ...wishes(job), reader, input: 'text.md', output: `out-0.${job.to}` })
      return { ...planOf([written], job), next: (end) => planOf([], job, warningTexts(end.stdout, job.to)) }
    }
    const steps = [
      toRawHtml(reader, 'text.md', 'raw.html'),
      toPage(job, { kind: 'html', input: 'raw.html', titled: true }),
    ]
    return { ...planOf(steps, job), next: (end) => finish(job, end.stdout) }
  }
  return { ...planOf([first], job), warnings: job.warnings, next }
}

function toPage({ to, options }: Job, made: { kind: 'epub' | 'fb2' | 'html'; input: string; titled: boolean }) {
  const isWritten = to === 'pdf' || to === 'html'
  return bookStep({
    ...made,
    output: to === 'html' ? 'out-0.html' : page,
    // These print it, where others only have to name the document somehow.
    untitled: ['docx', 'odt', 'rtf'].includes(to) ? '' : 'Untitled',
    contents: isWritten && options.table_of_contents === true,
    remote: to === 'html' && made.kind === 'html',
    ...(to === 'pdf' && { fontSize: Number(options.font_size ?? 11) }),
  })
}

/** From the page to what was asked for. */
function finish(job: Job, stdout: readonly string[]): Plan {
  const { to, options } = job
  const warnings = warningTexts(stdout, to)
  if (to === 'html') return planOf([], job, warnings)
  const file = `out-0.${to}`
  if (to !== 'pdf')
    return planOf([pandocStep(to, { ...wishes(job), reader: 'html', input: page, output: file })], job, warnings)
  const printed = { ...options, margin: options.margin ?? bookMargin }
  return planOf([printStep(page, file, printed, printLimits)], job, warnings)
}

function wishes({ options, to }: Job) {
  return {
    contents: options.table_of_contents === true,
    ...(to === 'txt' && { lineLength: Number(options.line_length ?? 80) }),
  }
}

function planOf(steps: readonly (Step | ProcessStep)[], { to }: Job, warnings: readonly string[] = []): Plan {
  return { kind: 'plan', steps, outputs: [{ file: `out-0.${to}`, format: to, source: 0 }], warnings }
}
