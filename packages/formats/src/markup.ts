import { decodeText } from './decode-text.ts'
import type { Detected } from './detect.ts'
import { looksLikeJson } from './json.ts'

const guess = (ext: string): Detected => ({ ext, conclusive: false })
const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Text and markup. XML is unmistakable, and so are pages that begin as the HTML standard requires. */
export function detectMarkup(head: Uint8Array): Detected | undefined {
  const text = decodeText(head)
  if (text === undefined) return detectLeadingTag(head)
  const at = skipSpace(text, 0)
  const first = text[at]
  if (first === '<') return detectTags(text, at)
  if (first === '{' || first === '[') return guess(jsonOr('txt', text.slice(at, at + 4096)))
  return guess(text.startsWith('%YAML ', at) ? 'yaml' : 'txt')
}

// Lines that are a whole object each are JSON Lines.
function jsonOr(other: string, start: string): string {
  if (!looksLikeJson(start)) return other
  return /^\{[^\n]{0,4000}\}\r?\n\{/.test(start) ? 'jsonl' : 'json'
}

// A page in an unusual encoding, or with a stray control character, is still a page.
function detectLeadingTag(head: Uint8Array): Detected | undefined {
  const start = new TextDecoder('latin1').decode(head.subarray(0, 64))
  return /^\s*<(?:!doctype\s+html|html|head)\b/i.test(start) ? guess('html') : undefined
}

/** Root elements that name a format, without their prefixes. */
const roots: Readonly<Record<string, string>> = {
  svg: 'svg',
  FictionBook: 'fb2',
  wordDocument: 'wordxml',
  package: 'flatopc',
  SAMI: 'smi',
}

/** Root elements of formats that may also be declared as XML. */
const xmlRoots: Readonly<Record<string, string>> = {
  opml: 'opml',
  TEI: 'tei',
  tt: 'ttml',
  COLLADA: 'dae',
  X3D: 'x3d',
  kml: 'kml',
  gpx: 'gpx',
}

/** Other formats that an XML file may be declared as. */
const xmlVariants = [
  ...['html', 'svg', 'txt', 'md', 'docbook', 'jats', 'opml', 'tei', 'icml', 'endnote'],
  ...['ttml', 'dae', 'x3d', 'kml', 'gpx', 'gml'],
]

const spreadsheet = 'urn:schemas-microsoft-com:office:spreadsheet'
const pageStart = /^<(?:table|meta|title|style|script|div|span|center|font|p|br|h[1-6]|link|body|img|a|b|i|ul)\b/i

function detectTags(text: string, start: number): Detected {
  const [root, at] = rootElement(text, start)
  const local = root.slice(root.indexOf(':') + 1)
  const isOpc = local !== 'package' || root === 'pkg:package'
  if (Object.hasOwn(roots, local) && isOpc) return sure(roots[local] ?? '')
  if (root === 'office:document') return detectFlatDocument(text)
  if (local === 'Workbook' && text.slice(at, at + 4096).includes(spreadsheet)) return sure('excelxml')
  const isPage = /^<!doctype\s+html/i.test(text.slice(start, start + 64)) || /^(html|head)$/i.test(root)
  // If the client calls a page another text format, it is read as that.
  if (isPage) return { ext: 'html', conclusive: true, variants: ['xml', 'txt', 'md'] }
  const language = xmlLanguage(local, text.slice(at, at + 4096), text.slice(start, at))
  if (language !== undefined) return { ext: language, conclusive: true, variants: ['xml', ...xmlVariants] }
  if (text.startsWith('<?xml', start)) return { ext: 'xml', conclusive: root !== '', variants: xmlVariants }
  if (root !== '' && text.slice(at, at + 1024).includes('xmlns')) return guess('xml')
  return guess(pageStart.test(text.slice(start, start + 16)) ? 'html' : 'txt')
}

// The namespace or document type of an article decides between DocBook and JATS.
function xmlLanguage(root: string, from: string, before: string): string | undefined {
  if (root === 'Document') return before.includes('<?aid ') ? 'icml' : undefined
  if (Object.hasOwn(xmlRoots, root)) return xmlRoots[root]
  if (root === 'FeatureCollection' && from.includes('http://www.opengis.net/gml')) return 'gml'
  const isDocbook = from.slice(0, 1024).includes('http://docbook.org/ns/docbook') || before.includes('//DTD DocBook')
  if (isDocbook) return 'docbook'
  return root === 'article' && /\bJATS\b|NLM\/\/DTD/.test(before) ? 'jats' : undefined
}

const flatDocuments: Readonly<Record<string, string>> = {
  text: 'fodt',
  spreadsheet: 'fods',
  presentation: 'fodp',
  graphics: 'fodg',
}

// The root element of a flat OpenDocument declares all its namespaces and its kind.
function detectFlatDocument(text: string): Detected {
  const kind = /\boffice:mimetype="application\/vnd\.oasis\.opendocument\.([a-z]{1,16})(?:-template)?"/.exec(text)?.[1]
  const ext = flatDocuments[kind ?? '']
  return ext === undefined ? guess('xml') : { ext, conclusive: true }
}

/** The name and offset of the first element after declarations, comments and a document type; empty without one. */
function rootElement(text: string, start: number): readonly [name: string, at: number] {
  let at = start
  while (text[at] === '<') {
    if (text.startsWith('<!--', at)) at = past(text, '-->', at + 4)
    else if (text.startsWith('<?', at)) at = past(text, '?>', at + 2)
    else if (text.startsWith('<!', at)) at = pastDoctype(text, at + 2)
    else return [nameAt(text, at + 1), at]
    if (at === -1) break
    at = skipSpace(text, at)
  }
  return ['', -1]
}

function past(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? -1 : at + mark.length
}

function pastDoctype(text: string, from: number): number {
  const end = text.indexOf('>', from)
  const subset = text.indexOf('[', from)
  if (end === -1 || subset === -1 || subset > end) return end === -1 ? -1 : end + 1
  const close = text.indexOf(']', subset)
  return close === -1 ? -1 : past(text, '>', close)
}

function nameAt(text: string, from: number): string {
  let end = from
  // 64 characters are more than any root element's name has.
  while (end < from + 64 && end < text.length && !' \t\r\n/>'.includes(text.charAt(end))) end++
  return text.slice(from, end)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n\f'.includes(text.charAt(at))) at++
  return at
}
