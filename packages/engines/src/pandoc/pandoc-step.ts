import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { pandocHeapMiB, pandocStepLimits } from './limits.ts'
import { rawHtmlFilter } from './raw-html-filter.ts'

/** Pandoc's names of what it reads here. */
export const readers = {
  html: 'html',
  github: 'gfm+smart+definition_lists+fenced_divs',
  pandoc: 'markdown',
} as const

/** Pandoc's names of what it writes, with what each is told besides. */
const writers: Readonly<Record<string, readonly string[]>> = {
  docx: ['docx'],
  odt: ['odt'],
  rtf: ['rtf', '--standalone'],
  txt: ['plain'],
  md: ['gfm', '--wrap=none'],
  epub: ['epub3'],
  fb2: ['fb2'],
}

export interface PandocRun {
  readonly reader: keyof typeof readers
  readonly input: string
  readonly output: string
  readonly contents?: boolean
  readonly lineLength?: number
}

/** Has Pandoc write a document. */
export function pandocStep(to: string, { reader, input, output, contents, lineLength }: PandocRun): ProcessStep {
  const isText = reader !== 'html'
  // In print, an image that is a paragraph of its own has its description below it.
  const from = reader === 'github' ? `${readers.github}+implicit_figures` : readers[reader]
  const args = [
    ...common(from, [...(writers[to] ?? [to])]),
    ...(contents ? ['--toc', '--standalone'] : []),
    ...(lineLength === undefined ? [] : [`--columns=${lineLength}`]),
    ...(isText ? ['--lua-filter=raw.lua'] : []),
  ]
  const writes = isText ? [{ file: 'raw.lua', text: rawHtmlFilter }] : []
  return { ...step([...args, '-o', output, input], output), writes, capture: true }
}

// Only what a page of ours needs: its style is ours, and its title stands at its head.
const template = `<!DOCTYPE html><html><head><title>$pagetitle$</title><style>$highlighting-css$</style></head><body>
$if(title)$<header><h1 class="lathe-title">$title$</h1>$if(subtitle)$<p class="lathe-author">$subtitle$</p>$endif$
$for(author)$<p class="lathe-author">$author$</p>$endfor$
$if(date)$<p class="lathe-author">$date$</p>$endif$$if(abstract)$<div class="lathe-epigraph">$abstract$</div>$endif$</header>$endif$
$body$
</body></html>
`

/** Has Pandoc write HTML, which is not clean yet: authors write HTML into their texts. */
export function toRawHtml(reader: 'github' | 'pandoc', input: string, output: string): ProcessStep {
  const args = [...common(readers[reader], ['html5']), '--sandbox', '--mathml', '--template=page.tpl']
  const writes = [{ file: 'page.tpl', text: template }]
  return { ...step([...args, '-o', output, input], output), writes }
}

function common(from: string, [to = '', ...more]: readonly string[]): readonly string[] {
  return ['+RTS', `-M${pandocHeapMiB}m`, '-RTS', '--quiet', '-f', from, '-t', to, ...more]
}

function step(args: readonly string[], output: string): ProcessStep {
  const limits = pandocStepLimits
  return { kind: 'process', profile: 'markup', program: 'pandoc', args, outputs: [output], limits, readExit }
}

// 251 is the run-time system's for a heap that is full; 64 and 92 are Pandoc's for what it cannot parse or decode.
function readExit({ code, stderr }: StepExit): Failure | undefined {
  if (code === 251) {
    const text = `The document needs more than ${pandocHeapMiB} MiB of memory, which is the limit. Split it and convert the parts.`
    return failure('limit_exceeded', { text, detail: stderr })
  }
  return code === 64 || code === 92 ? failure('input_damaged', { detail: stderr }) : undefined
}
