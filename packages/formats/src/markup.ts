import type { Detected } from './detect.ts'

const guess = (ext: string): Detected => ({ ext, conclusive: false })

/** Text, and markup inside it. Only SVG and flat OpenDocument show themselves beyond doubt: by their root element. */
export function detectMarkup(head: Uint8Array): Detected | undefined {
  const text = decode(head)
  if (text === undefined) return undefined
  const at = skipSpace(text, 0)
  const first = text[at]
  if (first === '<') return detectTags(text, at)
  if (first === '{' || first === '[') return guess('json')
  return guess('txt')
}

function detectTags(text: string, start: number): Detected {
  const root = rootElement(text, start)
  const local = root.slice(root.indexOf(':') + 1)
  if (local === 'svg') return { ext: 'svg', conclusive: true }
  if (root === 'office:document') return detectFlatDocument(text)
  if (/^<!doctype\s+html/i.test(text.slice(start, start + 64)) || /^(html|head|body)$/i.test(root)) return guess('html')
  return guess(text.startsWith('<?xml', start) ? 'xml' : 'txt')
}

const flatDocuments: Readonly<Record<string, string>> = {
  text: 'fodt',
  spreadsheet: 'fods',
  presentation: 'fodp',
  graphics: 'fodg',
}

// The root element of a flat OpenDocument names all its namespaces, and its kind among them.
function detectFlatDocument(text: string): Detected {
  const kind = /\boffice:mimetype="application\/vnd\.oasis\.opendocument\.([a-z]{1,16})(?:-template)?"/.exec(text)?.[1]
  const ext = flatDocuments[kind ?? '']
  return ext === undefined ? guess('xml') : { ext, conclusive: true }
}

/** The first element's name, past declarations, comments and a document type; empty when there is none. */
function rootElement(text: string, start: number): string {
  let at = start
  while (text[at] === '<') {
    if (text.startsWith('<!--', at)) at = past(text, '-->', at + 4)
    else if (text.startsWith('<?', at)) at = past(text, '?>', at + 2)
    else if (text.startsWith('<!', at)) at = pastDoctype(text, at + 2)
    else return nameAt(text, at + 1)
    if (at === -1) return ''
    at = skipSpace(text, at)
  }
  return ''
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

/** Reads bytes as text, or gives `undefined` for bytes that no text has. */
function decode(head: Uint8Array): string | undefined {
  if (head.length === 0) return undefined
  if (head[0] === 0xff && head[1] === 0xfe) return decodeAs('utf-16le', head)
  if (head[0] === 0xfe && head[1] === 0xff) return decodeAs('utf-16be', head)
  return head.some(isBinary) ? undefined : decodeAs('utf-8', head)
}

// TextDecoder drops the byte order mark and never throws unless told to be fatal.
function decodeAs(encoding: string, head: Uint8Array): string {
  return new TextDecoder(encoding).decode(head)
}

// Control characters that text files do not hold: all but tab, line feed, form feed, carriage return, escape.
function isBinary(byte: number): boolean {
  return byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27
}
