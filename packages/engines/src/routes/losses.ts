import { findFormat } from '@lathe/formats'

/** What a conversion through a format loses, for clients that ask for a route. */
const through: Readonly<Record<string, string>> = {
  pdf: 'Pages become fixed: formulas, comments and form fields can no longer be edited.',
  docx: 'What Word documents do not have is left out or comes close.',
  odt: 'What OpenDocument texts do not have is left out or comes close.',
  html: 'Pages become one long page: page breaks, headers and footers get lost.',
  csv: 'Only one sheet is taken, and only its values: formulas, formats and pictures get lost.',
  png: 'Everything becomes pixels: text can no longer be selected or edited.',
  tiff: 'Everything becomes pixels: text can no longer be selected or edited.',
}

const plainTexts = new Set(['md', 'mmd', 'rst', 'org', 'tex', 'typ', 'textile', 'mediawiki', 'dokuwiki', 'adoc', 'txt'])

/** What one step may lose, in one or two sentences; undefined where it is known to keep everything. */
export function lossOf(from: string, to: string): string | undefined {
  if (from === 'pdf' && to !== 'pdf' && !isPicture(to)) {
    return 'Text is read back from drawn pages: headings, tables and columns may come out as plain paragraphs.'
  }
  if (isPicture(from) && isPicture(to)) return undefined
  if (plainTexts.has(to)) return 'Headings, lists, tables and links stay; fonts, colours and page layout get lost.'
  return through[to]
}

const isPicture = (format: string) => findFormat(format)?.family === 'image'
