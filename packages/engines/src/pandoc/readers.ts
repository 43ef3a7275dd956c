/** How Pandoc reads a format. */
export interface Reader {
  /** Pandoc's name of it, with the extensions that are switched on. */
  readonly name: string
  /** Whether it is an archive, which only Pandoc opens. Everything else is converted to UTF-8 first. */
  readonly isPacked?: boolean
  /** Whether the format cannot include files, so that one run without Pandoc's own sandbox may read and write. */
  readonly isClosed?: boolean
  /** Whether it is a list of references, which other formats show as a bibliography. */
  readonly isBibliography?: boolean
}

const references = { isBibliography: true } as const

/** The formats that Pandoc reads itself. Markdown has two readers: see `dialect`. Books become a page first. */
export const readers = {
  md: { name: 'markdown', isClosed: true },
  mmd: { name: 'markdown_mmd', isClosed: true },
  rmd: { name: 'markdown', isClosed: true },
  qmd: { name: 'markdown', isClosed: true },
  html: { name: 'html' },
  rst: { name: 'rst' },
  org: { name: 'org' },
  tex: { name: 'latex' },
  typ: { name: 'typst' },
  ipynb: { name: 'ipynb', isClosed: true },
  docbook: { name: 'docbook' },
  jats: { name: 'jats' },
  opml: { name: 'opml' },
  mediawiki: { name: 'mediawiki' },
  dokuwiki: { name: 'dokuwiki' },
  textile: { name: 'textile' },
  jira: { name: 'jira' },
  man: { name: 'man' },
  muse: { name: 'muse' },
  t2t: { name: 't2t' },
  tiki: { name: 'tikiwiki' },
  twiki: { name: 'twiki' },
  vimwiki: { name: 'vimwiki' },
  creole: { name: 'creole' },
  haddock: { name: 'haddock' },
  csv: { name: 'csv' },
  tsv: { name: 'tsv' },
  docx: { name: 'docx', isPacked: true, isClosed: true },
  odt: { name: 'odt', isPacked: true, isClosed: true },
  rtf: { name: 'rtf', isClosed: true },
  bib: { name: 'bibtex', ...references },
  biblatex: { name: 'biblatex', ...references },
  csljson: { name: 'csljson', ...references },
  ris: { name: 'ris', ...references },
  endnote: { name: 'endnotexml', ...references },
} as const satisfies Record<string, Reader>

export function findReader(format: string): Reader | undefined {
  return Object.hasOwn(readers, format) ? readers[format as keyof typeof readers] : undefined
}
