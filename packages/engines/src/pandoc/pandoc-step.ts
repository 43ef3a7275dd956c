import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { pandocHeapMiB, pandocStepLimits } from '../markup/limits.ts'
import { dataImages, insideImages, namedImages } from './image-filters.ts'
import { namedFilesFilter } from './named-files-filter.ts'
import { rawHtmlFilter } from './raw-html-filter.ts'
import type { Reader } from './readers.ts'
import { findWriter, type Writer } from './writers.ts'

/** Two more readers: for the page made of a book, and for Markdown as GitHub shows it. */
export const bookPage: Reader = { name: 'html', isClosed: true }
export const github: Reader = { name: 'gfm+smart+definition_lists+fenced_divs', isClosed: true }

export interface PandocRun {
  readonly reader: Reader
  readonly input: string
  readonly output: string
  readonly contents?: boolean
  readonly lineLength?: number
}

interface Filter {
  readonly file: string
  readonly text: string
}

const raw: Filter = { file: 'raw.lua', text: rawHtmlFilter }
const files: Filter = { file: 'files.lua', text: namedFilesFilter }
const images: Readonly<Record<Writer['images'], Filter>> = {
  inside: { file: 'images.lua', text: insideImages },
  named: { file: 'images.lua', text: namedImages },
  data: { file: 'images.lua', text: dataImages },
}

/**
 * Writes a document with Pandoc. Pandoc reads the source in its own sandbox, so a text cannot include files. Formats
 * that start from files that come with Pandoc are written without that sandbox, in a second run that sees only what the
 * first one read, and without the names of files that Pandoc would open while it writes.
 */
export function pandocSteps(to: string, run: PandocRun): readonly ProcessStep[] {
  const { reader, input, output } = run
  const writer = findWriter(to)
  const filters = filtersOf(reader, writer)
  const isOneRun = writer.needsFiles !== true || reader.isClosed === true
  if (isOneRun) {
    const from = nameOf(reader, writer)
    const args = [...(writer.needsFiles ? [] : ['--sandbox']), ...cites(reader, to), ...asked(run)]
    return [step({ from, writer, filters: writer.needsFiles ? [...filters, files] : filters, args }, run)]
  }
  const middle = { input, output: 'document.json' }
  const json: Writer = { name: 'json', images: writer.images }
  return [
    step({ from: nameOf(reader, writer), writer: json, filters, args: ['--sandbox', ...cites(reader, to)] }, middle),
    step({ from: 'json', writer, filters: [files], args: asked(run) }, { input: middle.output, output }),
  ]
}

// An image in a separate paragraph gets its description as a caption. Elements that only group parts of a page for its
// style sheet are dropped: text formats would show them as tags.
function nameOf(reader: Reader, writer: Writer): string {
  if (reader.name === 'html' && !writer.needsFiles) return 'html-native_divs-native_spans'
  return reader === github ? `${github.name}+implicit_figures` : reader.name
}

// A page that our script made is clean and contains its images.
function filtersOf(reader: Reader, writer: Writer): readonly Filter[] {
  if (reader === bookPage) return writer.images === 'named' ? [images.named] : []
  return [raw, images[writer.images]]
}

function cites({ isBibliography = false }: Reader, to: string): readonly string[] {
  return isBibliography && !['bib', 'biblatex', 'csljson'].includes(to) ? ['--citeproc'] : []
}

function asked({ contents = false, lineLength }: PandocRun): readonly string[] {
  return [
    ...(contents ? ['--toc', '--standalone'] : []),
    ...(lineLength === undefined ? [] : [`--columns=${lineLength}`]),
  ]
}

// Only what our page needs: the script adds the style, and the title comes first.
const template = `<!DOCTYPE html><html><head><title>$pagetitle$</title><style>$highlighting-css$</style></head><body>
$if(title)$<header><h1 class="lathe-title">$title$</h1>$if(subtitle)$<p class="lathe-author">$subtitle$</p>$endif$
$for(author)$<p class="lathe-author">$author$</p>$endfor$
$if(date)$<p class="lathe-author">$date$</p>$endif$$if(abstract)$<div class="lathe-epigraph">$abstract$</div>$endif$</header>$endif$
$body$
</body></html>
`

/** Writes HTML with Pandoc. It is not clean yet, since authors write HTML into their texts. */
export function toRawHtml(reader: Reader, input: string, output: string): ProcessStep {
  const writer: Writer = { name: 'html5', images: 'data' }
  const args = ['--sandbox', '--mathml', '--template=page.tpl', ...cites(reader, 'html')]
  const made = step({ from: reader.name, writer, filters: [images.data], args }, { input, output })
  return { ...made, writes: [...(made.writes ?? []), { file: 'page.tpl', text: template }], capture: false }
}

interface PandocCall {
  readonly from: string
  readonly writer: Writer
  readonly filters: readonly Filter[]
  readonly args: readonly string[]
}

function step(
  { from, writer, filters, args }: PandocCall,
  { input, output }: { input: string; output: string },
): ProcessStep {
  const common = [
    '+RTS',
    `-M${pandocHeapMiB}m`,
    '-RTS',
    '--quiet',
    '-f',
    from,
    '-t',
    writer.name,
    ...(writer.args ?? []),
  ]
  return {
    kind: 'process',
    profile: 'markup',
    program: 'pandoc',
    args: [...common, ...args, ...filters.map(({ file }) => `--lua-filter=${file}`), '-o', output, input],
    writes: filters,
    outputs: [output],
    limits: pandocStepLimits,
    capture: true,
    readExit,
  }
}

/**
 * Exit codes of Pandoc for input that it cannot read: references, XML, unspecified errors, syntax, endless macros,
 * encodings, notebooks, and missing files that a text needs.
 */
const damaged: readonly number[] = [24, 25, 44, 63, 64, 91, 92, 93, 94, 99]

// 251 is the exit code of the Haskell runtime for a full heap.
function readExit({ code, stderr }: StepExit): Failure | undefined {
  if (code === 251) {
    const text = `The document needs more than ${pandocHeapMiB} MiB of memory, which is the limit. Split it and convert the parts.`
    return failure('limit_exceeded', { text, detail: stderr })
  }
  return damaged.includes(code) ? failure('input_damaged', { detail: stderr }) : undefined
}
