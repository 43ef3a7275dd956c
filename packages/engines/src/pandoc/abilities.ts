import type { Ability } from '../engine.ts'
import { dialect, type Option, optionsByOutput } from './options.ts'
import { findReader, readers } from './readers.ts'
import { bibliographyWriters, writers } from './writers.ts'

/** Conversions of documents that LibreOffice also opens: it keeps more of them than Pandoc. */
const office = ['pdf', 'html', 'txt', 'docx', 'odt', 'rtf', 'epub']
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  docx: office,
  odt: office,
  rtf: office,
  html: office,
  csv: ['pdf', 'html'],
}

/** Conversions in which Pandoc loses the content or writes XML that parsers refuse. */
const broken: Readonly<Record<string, readonly string[]>> = {
  typ: ['man'],
  vimwiki: ['docbook', 'tei'],
  ...Object.fromEntries(['bib', 'biblatex', 'csljson', 'ris', 'endnote'].map((from) => [from, ['org']])),
}

const sources = ['epub', 'fb2', 'mobi', ...Object.keys(readers)]
const documents = ['pdf', 'html', ...Object.keys(writers)]
const references = Object.keys(bibliographyWriters)

// Equal options share one list, so that they are listed once.
const forText: Readonly<Record<string, readonly Option[]>> = Object.fromEntries(
  Object.entries(optionsByOutput).map(([to, options]) => [to, [...options, dialect]]),
)
const none: readonly Option[] = []

/** Every ability of this engine. */
export const abilities: readonly Ability<Option>[] = sources.flatMap((from) =>
  targetsOf(from).map((to): Ability<Option> => {
    const options = (from === 'md' ? forText : optionsByOutput)[to] ?? none
    return { operation: 'convert', from, to, options }
  }),
)

function targetsOf(from: string): readonly string[] {
  const all = findReader(from)?.isBibliography ? [...documents, ...references] : documents
  return all.filter((to) => to !== from && !elsewhere[from]?.includes(to) && !broken[from]?.includes(to))
}
