import { type Facts, type Given, refuse } from './facts.ts'

const checks: Readonly<Record<string, (text: string) => string | undefined>> = {
  txt: () => undefined,
  csv: (text) => (/[,;\t]/.test(text) ? undefined : 'no cell is parted from the next'),
  md: () => undefined,
  json: (text) => (isObject(text) ? undefined : 'it is no object'),
  html: (text) =>
    /<html[\s>]/i.test(text) && /<\/html>\s*$/i.test(text) ? undefined : 'it does not begin and end as a page',
  hocr: (text) =>
    /class='ocr_page'/.test(text) && /<\/html>\s*$/.test(text) ? undefined : 'it does not hold pages to its end',
  fb2: (text) =>
    /<FictionBook[\s>]/.test(text) && /<\/FictionBook>\s*$/.test(text)
      ? undefined
      : 'it does not begin and end as a book',
  rtf: (text) => (text.startsWith('{\\rtf1') && isBalanced(text) ? undefined : 'its braces do not fit'),
}

export function isText(format: string): boolean {
  return checks[format] !== undefined
}

/** Opens a text: it must be UTF-8, not empty, and look like its format. */
export function openText({ format, bytes }: Given): Facts {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (text.trim() === '') refuse(format, 'there is nothing in it')
  if (text.includes('\0')) refuse(format, 'it holds zeros')
  const fault = checks[format]?.(text)
  if (fault !== undefined) refuse(format, fault)
  return { format }
}

function isObject(text: string): boolean {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function isBalanced(rtf: string): boolean {
  const braces = rtf.replaceAll(/\\[{}\\]/g, '').match(/[{}]/g) ?? []
  let depth = 0
  for (const brace of braces) {
    depth += brace === '{' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

/** The words of a marked-up text without its markup. */
export function stripMarks(markup: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }
  return markup
    .replaceAll(/<(style|script|title)[^>]*>.*?<\/\1>/gis, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replaceAll(/&(\w+);/g, (whole, name) => named[name] ?? whole)
}
