import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { openText } from './open-text.ts'
import { fileOf, runTool } from './run-tool.ts'

const parseXml = `import sys
from lxml import etree
parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
root = etree.parse(sys.argv[1], parser).getroot()
print(etree.QName(root).localname, len(" ".join(root.itertext()).split()))`

/** XML languages, with their root elements. */
const roots: Readonly<Record<string, string>> = {
  docbook: 'article',
  jats: 'article',
  tei: 'TEI',
  icml: 'Document',
}

/** Languages that can be read back; they must contain at least one word. */
const readers: Readonly<Record<string, string>> = {
  mmd: 'markdown_mmd',
  rst: 'rst',
  org: 'org',
  typ: 'typst',
  ipynb: 'ipynb',
  mediawiki: 'mediawiki',
  dokuwiki: 'dokuwiki',
  textile: 'textile',
  jira: 'jira',
  muse: 'muse',
  haddock: 'haddock',
  man: 'man',
  bib: 'bibtex',
  biblatex: 'biblatex',
  csljson: 'csljson',
}

/** Languages that are only written, with a pattern that each document must match. */
const signs: Readonly<Record<string, RegExp>> = {
  tex: /\\documentclass[\s\S]*\\begin\{document\}[\s\S]*\\end\{document\}\s*$/,
  beamer: /\\documentclass\[[\s\S]*?\]\{beamer\}[\s\S]*\\end\{document\}\s*$/,
  context: /\\starttext[\s\S]*\\stoptext\s*$/,
  texi: /^\\input texinfo[\s\S]*@bye\s*$/,
  ms: /^\.\\"[\s\S]*^\.(?:LP|PP|SH|IP|TS|\[|XP)/m,
  adoc: /\w/,
  zimwiki: /^Content-Type: text\/x-zim-wiki/,
  xwiki: /\w/,
  markua: /\w/,
}

export function isMarkup(format: string): boolean {
  return [roots, readers, signs].some((table) => table[format] !== undefined)
}

/** Opens a document in a markup language: with an XML parser, with a reader, or by its required pattern. */
export async function openMarkup(bench: PlanBench, given: Given): Promise<Facts> {
  const { format, bytes } = given
  openText(given)
  const root = roots[format]
  if (root !== undefined) {
    const { stdout } = await runTool(bench, 'python3', ['-c', parseXml, fileOf(given)], { given })
    const [name, words] = stdout.trim().split(' ')
    if (name !== root || words === '0') refuse(format, `its root is ${name}, with ${words} words`)
  }
  const reader = readers[format]
  if (reader !== undefined) {
    const args = ['--sandbox', '-f', reader, '-t', 'plain', '--citeproc', fileOf(given)]
    const { stdout } = await runTool(bench, 'pandoc', args, { given })
    if (!/\w/.test(stdout)) refuse(format, 'no words are read from it')
  }
  if (signs[format]?.test(String(bytes)) === false) refuse(format, 'it does not begin and end as it should')
  return { format }
}
