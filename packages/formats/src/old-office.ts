import { hasText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Documents from before office programs wrote compound files. */
export function detectOldOffice(head: Uint8Array): Detected | undefined {
  return (
    detectWord(head) ??
    detectExcel(head) ??
    detectWordPerfect(head) ??
    detectDatabase(head) ??
    (/^TABLE\r?\n0,\d{1,9}\r?\n/.test(textAt(head, 0, 32)) ? sure('dif') : undefined)
  )
}

// Word for Windows 1, 2 and 6: a mark, then a version below that of Word 97.
function detectWord(head: Uint8Array): Detected | undefined {
  const hasMark = ['\x9b\xa5', '\xdb\xa5', '\xdc\xa5'].some((mark) => hasText(head, 0, mark))
  const version = littleEndianAt(head, 2, 2)
  if (hasMark && version >= 33 && version <= 105) return sure('doc')
  // Word for the Macintosh, versions 3 to 5.
  const isMac = ['\xfe\x32\0', '\xfe\x34\0', '\xfe\x37\0'].some((mark) => hasText(head, 0, mark))
  return isMac ? { ext: 'doc', conclusive: false } : undefined
}

// The first record of a sheet: its version, its length, and the kind of sheet.
function detectExcel(head: Uint8Array): Detected | undefined {
  const isFirstRecord = ['\x09\0\x04\0', '\x09\x02\x06\0', '\x09\x04\x06\0', '\x09\x08\x08\0', '\x09\x08\x10\0'].some(
    (mark) => hasText(head, 0, mark),
  )
  const kind = littleEndianAt(head, 6, 2)
  return isFirstRecord && [0x05, 0x10, 0x20, 0x40, 0x100].includes(kind) ? sure('xls') : undefined
}

function detectWordPerfect(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\xffWPC')) return undefined
  const [product, kind] = head.subarray(8, 10)
  if (product !== 1) return undefined
  return sure(kind === 0x16 ? 'wpg' : 'wpd')
}

/** A WordPerfect 4 code is enclosed by two equal bytes; no known code is longer than this. */
const longestCode = 160

/**
 * WordPerfect 4 has no signature, only a pattern: plain letters, and codes that end with the byte they begin with. A
 * file that begins with a code, has several more and contains nothing else counts as one. Check this last, on bytes
 * that are not text.
 */
export function detectOldWordPerfect(head: Uint8Array): Detected | undefined {
  if (!isCode(head[0])) return undefined
  let [codes, letters, others] = [0, 0, 0]
  const end = Math.min(head.length, 4096)
  for (let at = 0; at < end; ) {
    const byte = head[at] ?? 0
    const close = isCode(byte) ? head.subarray(0, at + longestCode).indexOf(byte, at + 1) : at
    if (close === -1 || byte === 0) return undefined
    if (close > at) codes++
    else if (byte >= 32 && byte < 127) letters++
    else others++
    at = close + 1
  }
  return codes >= 5 && letters > 4 * others ? sure('wpd') : undefined
}

function isCode(byte = 0): boolean {
  return byte >= 0xc0 && byte < 0xff
}

// dBase and FoxPro: a version, the date of the last change, and fields of 32 bytes up to a mark.
function detectDatabase(head: Uint8Array): Detected | undefined {
  const [version = 0, , month = 0, day = 0] = head
  const isVersion = [0x02, 0x03, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8b, 0xcb, 0xf5].includes(version)
  if (!isVersion || month < 1 || month > 12 || day < 1 || day > 31) return undefined
  const [header, record] = [littleEndianAt(head, 8, 2), littleEndianAt(head, 10, 2)]
  const hasFields = header >= 65 && record > 0 && /^[A-Za-z_][\w ]{0,10}\0*$/.test(textAt(head, 32, 11))
  // FoxPro has a path of 263 bytes after the mark.
  const isEnded = [header - 1, header - 2, header - 264].some((at) => at > 32 && head[at] === 0x0d)
  return hasFields && isEnded ? sure('dbf') : undefined
}
