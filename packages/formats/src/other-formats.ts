import { bigEndianAt, hasText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'
import { otherSignatures } from './other-signatures.ts'

// Only the name shows whether a tar archive is inside.
const variantsOf: Readonly<Record<string, readonly string[]>> = {
  bz2: ['tar.bz2'],
  xz: ['tar.xz'],
  zst: ['tar.zst'],
  ics: ['txt'],
  vcf: ['txt'],
}

function sure(ext: string): Detected {
  const variants = variantsOf[ext]
  return { ext, conclusive: true, ...(variants && { variants }) }
}

/** Compressed files and disc images, and formats that no engine accepts, so that error messages can name them. */
export function detectOther(head: Uint8Array): Detected | undefined {
  const found = otherSignatures.find(({ at, bytes }) => hasText(head, at, bytes))
  if (found?.ext === 'sqlite') return sure(isMap(head) ? 'gpkg' : 'sqlite')
  if (found !== undefined) return sure(found.ext)
  return detectProgram(head) ?? detectFont(head) ?? detectClass(head) ?? detectStarts(textAt(head, 0, 256))
}

// A GeoPackage is a database that has its mark in SQLite's field for application ids.
function isMap(head: Uint8Array): boolean {
  return ['GPKG', 'GP10', 'GP11'].some((mark) => hasText(head, 68, mark))
}

// `MZ` also begins sentences: a second header identifies Windows programs. DOS programs have none.
function detectProgram(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, 'MZ')) return undefined
  const header = littleEndianAt(head, 60, 4)
  const isWindows = ['PE\0\0', 'NE', 'LE'].some((mark) => hasText(head, header, mark))
  // A plausible header size, and zero bytes, which no text has.
  const isDos = head.length > 64 && littleEndianAt(head, 8, 2) <= 0x100 && head.subarray(0, 64).includes(0)
  return isWindows || isDos ? sure('exe') : undefined
}

// The number of tables, then a search range that depends on it.
function detectFont(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\0\x01\0\0')) return undefined
  const [tables, range] = [bigEndianAt(head, 2) & 0xffff, bigEndianAt(head, 4) & 0xffff]
  const fits = tables > 0 && tables < 64 && range === 16 * 2 ** Math.floor(Math.log2(tables))
  return fits ? sure('ttf') : undefined
}

// Java classes and programs for several processors share a mark. In Java the version follows, which is 45 or higher.
function detectClass(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\xca\xfe\xba\xbe')) return undefined
  return (bigEndianAt(head, 4) & 0xffff) >= 45 ? sure('class') : sure('macho')
}

const starts: readonly (readonly [ext: string, pattern: RegExp])[] = [
  ['dwg', /^AC10(?:0[2-9]|1[0-9]|2[1-9]|3[0-9])\0/],
  ['bz2', /^BZh[1-9]1AY&SY/],
  ['torrent', /^d\d{1,2}:(?:announce|comment|created by|creation date|info|encoding)/],
  ['dxb', /^AutoCAD Binary DXF/],
  ['dxf', /^(?:\s{0,4}0\r?\n\s{0,4}SECTION\r?\n|\s{0,4}999\r?\n[^\n]{0,200}\n\s{0,4}0\r?\n)/],
  ['stl', /^solid [^\n]{0,100}\n\s{0,16}facet normal /],
  ['phm', /^P[Hh]\s\d{1,9}\s\d{1,9}\s-?\d/],
  ['xbm', /^(?:\/\*[^*]{0,128}\*\/\s{0,8})?#define [\w.]{1,64}_width \d{1,6}\r?\n/],
]

const graph = /^(?:strict\s{1,8})?(?:di)?graph\b[^{\n;.,]{0,80}\{\s/

// The older of the two formats begins the same, and both may be declared as text.
const subtitles = /^(?:\xef\xbb\xbf)?\[Script Info\]\r?\n/i

function detectStarts(start: string): Detected | undefined {
  if (subtitles.test(start)) return { ext: 'ass', conclusive: true, variants: ['ssa', 'txt'] }
  const found = starts.find(([, pattern]) => pattern.test(start))
  if (found === undefined && graph.test(pastComments(start))) return sure('gv')
  return found && sure(found[0])
}

/** The text after leading blanks and a few comments. */
function pastComments(text: string): string {
  let at = 0
  for (let n = 0; n < 8; n++) {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
    const close = commentEnds[text.slice(at, at + 2)]
    if (close === undefined) return text.slice(at)
    const end = text.indexOf(close, at + 2)
    if (end === -1) return ''
    at = end + close.length
  }
  return text.slice(at)
}

const commentEnds: Readonly<Record<string, string>> = { '//': '\n', '/*': '*/' }
