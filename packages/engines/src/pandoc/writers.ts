/** How Pandoc writes a format. */
export interface Writer {
  /** Pandoc's name of it. */
  readonly name: string
  /** Additional arguments. */
  readonly args?: readonly string[]
  /**
   * Where images are stored: inside the file, named by a URL that may be a data URL with the image, or only named.
   * An image inside the source that the target cannot hold is replaced by its description.
   */
  readonly images: 'inside' | 'data' | 'named'
  /** Whether it starts from files that come with Pandoc, which Pandoc's own sandbox hides. */
  readonly needsFiles?: boolean
}

const inside = { images: 'inside' } as const
const whole = { images: 'named', args: ['--standalone'] } as const

/** The formats that Pandoc writes. PDF and HTML are made from our own page: see `bookStep`. */
export const writers = {
  docx: { name: 'docx', ...inside, needsFiles: true },
  odt: { name: 'odt', ...inside, needsFiles: true },
  epub: { name: 'epub3', ...inside, needsFiles: true },
  pptx: { name: 'pptx', ...inside, needsFiles: true },
  rtf: { name: 'rtf', ...inside, args: ['--standalone'] },
  fb2: { name: 'fb2', ...inside },
  ipynb: { name: 'ipynb', ...inside, args: ['--standalone'] },
  txt: { name: 'plain', ...inside },
  md: { name: 'gfm', images: 'data', args: ['--wrap=none'] },
  mmd: { name: 'markdown_mmd', images: 'data', args: ['--standalone', '--wrap=none'] },
  rst: { name: 'rst', ...whole },
  org: { name: 'org', ...whole },
  tex: { name: 'latex', ...whole },
  beamer: { name: 'beamer', ...whole },
  context: { name: 'context', ...whole },
  typ: { name: 'typst', ...whole },
  docbook: { name: 'docbook5', ...whole },
  jats: { name: 'jats_archiving', ...whole },
  tei: { name: 'tei', ...whole },
  icml: { name: 'icml', ...whole },
  adoc: { name: 'asciidoc', ...whole },
  mediawiki: { name: 'mediawiki', ...whole },
  dokuwiki: { name: 'dokuwiki', ...whole },
  zimwiki: { name: 'zimwiki', ...whole },
  xwiki: { name: 'xwiki', ...whole },
  textile: { name: 'textile', ...whole },
  jira: { name: 'jira', ...whole },
  muse: { name: 'muse', ...whole },
  haddock: { name: 'haddock', ...whole },
  markua: { name: 'markua', ...whole },
  man: { name: 'man', ...whole },
  ms: { name: 'ms', ...whole },
  texi: { name: 'texinfo', ...whole },
} as const satisfies Record<string, Writer>

/** The formats of references. They can only be made from other references. */
export const bibliographyWriters = {
  bib: { name: 'bibtex', images: 'named' },
  biblatex: { name: 'biblatex', images: 'named' },
  csljson: { name: 'csljson', images: 'named' },
} as const satisfies Record<string, Writer>

export function findWriter(format: string): Writer {
  const all: Readonly<Record<string, Writer>> = { ...writers, ...bibliographyWriters }
  return all[format] ?? { name: format, images: 'named' }
}
