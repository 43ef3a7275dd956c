import { bigEndianAt, hasText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Images whose first bytes are too few or too common to be conclusive, so more of the header is checked. */
export function detectBitmap(head: Uint8Array): Detected | undefined {
  return (
    detectWindowsBitmap(head) ??
    detectIcon(head) ??
    detectMetafile(head) ??
    detectPortableMap(head) ??
    detectPaintbrush(head) ??
    detectSiliconGraphics(head) ??
    detectQuiteOk(head) ??
    detectAppleIcon(head) ??
    detectAnimator(head)
  )
}

// EMF: a record of type 1 and a mark at 40. WMF: the header that most programs add, or the bare one of nine words.
function detectMetafile(head: Uint8Array): Detected | undefined {
  if (hasText(head, 0, '\x01\0\0\0') && hasText(head, 40, ' EMF')) return sure('emf')
  if (hasText(head, 0, '\xd7\xcd\xc6\x9a')) return sure('wmf')
  const isBare = hasText(head, 0, '\x01\0\x09\0\0\x03') || hasText(head, 0, '\x01\0\x09\0\0\x01')
  return isBare && littleEndianAt(head, 16, 2) === 0 ? sure('wmf') : undefined
}

// Checks the size of the inner header and its number of planes, which is always one. The four bytes at 6 are reserved.
function detectWindowsBitmap(head: Uint8Array): Detected | undefined {
  const headerSize = littleEndianAt(head, 14, 4)
  if (!hasText(head, 0, 'BM') || headerSize < 12 || headerSize > 256) return guessNakedBitmap(head)
  const isUsual = [12, 16, 40, 52, 56, 64, 108, 124].includes(headerSize)
  const isReserved = littleEndianAt(head, 6, 4) === 0
  const planes = littleEndianAt(head, headerSize === 12 ? 22 : 26, 2)
  return (isUsual && isReserved) || planes === 1 ? sure('bmp') : undefined
}

// The clipboard format: a bitmap without the first 14 bytes.
function guessNakedBitmap(head: Uint8Array): Detected | undefined {
  const hasHeader = [40, 108, 124].includes(littleEndianAt(head, 0, 4)) && littleEndianAt(head, 12, 2) === 1
  const fits = hasHeader && [1, 4, 8, 16, 24, 32].includes(littleEndianAt(head, 14, 2))
  return fits ? { ext: 'bmp', conclusive: false } : undefined
}

function detectIcon(head: Uint8Array): Detected | undefined {
  const kind = hasText(head, 0, '\0\0\x01\0') ? 'ico' : 'cur'
  if ((kind === 'cur' && !hasText(head, 0, '\0\0\x02\0')) || head.length < 22) return undefined
  const [count, bytes, offset] = [littleEndianAt(head, 4, 2), littleEndianAt(head, 14, 4), littleEndianAt(head, 18, 4)]
  // A Targa image may begin like a cursor, but its list of images would not point past its own end.
  const hasImages = kind === 'ico' || (bytes > 0 && offset >= 6 + 16 * count && offset < 2 ** 24)
  return count > 0 && count < 1024 && head[9] === 0 && hasImages ? sure(kind) : undefined
}

// Packed or not, one or two bytes per channel, up to three dimensions.
function detectSiliconGraphics(head: Uint8Array): Detected | undefined {
  const [, , packed = 2, depth = 0, , dimensions = 0] = head
  const fits = packed <= 1 && (depth === 1 || depth === 2) && head[4] === 0 && dimensions >= 1 && dimensions <= 3
  return hasText(head, 0, '\x01\xda') && fits ? sure('sgi') : undefined
}

function detectQuiteOk(head: Uint8Array): Detected | undefined {
  const [channels = 0, space = 2] = head.subarray(12, 14)
  return hasText(head, 0, 'qoif') && (channels === 3 || channels === 4) && space <= 1 ? sure('qoi') : undefined
}

function detectAppleIcon(head: Uint8Array): Detected | undefined {
  const size = bigEndianAt(head, 4)
  return hasText(head, 0, 'icns') && size >= 8 && size < 2 ** 28 ? sure('icns') : undefined
}

// Autodesk Animator: a mark after the file size, then frames, width and height in pixels, and flags that are 0 or 3.
function detectAnimator(head: Uint8Array): Detected | undefined {
  const hasMark = hasText(head, 4, '\x11\xaf') || hasText(head, 4, '\x12\xaf')
  const [width, height, flags] = [8, 10, 14].map((at) => littleEndianAt(head, at, 2))
  return hasMark && width !== 0 && height !== 0 && (flags === 0 || flags === 3) ? sure('fli') : undefined
}

const portableMaps = ['pbm', 'pgm', 'ppm', 'pbm', 'pgm', 'ppm'] as const

// `P6`, comments, width, height. The variants in ASCII digits might be the beginning of a text.
function detectPortableMap(head: Uint8Array): Detected | undefined {
  const start = textAt(head, 0, 256)
  if (/^P[Ff]\s\d{1,9}\s\d{1,9}\s-?\d/.test(start)) return sure('pfm')
  const kind = /^P([1-6])[ \t\r\n](?:[ \t\r\n]{0,8}#[^\n]{0,128}\n){0,8}[ \t\r\n]{0,8}\d{1,9}[ \t\r\n]/.exec(start)?.[1]
  if (kind === undefined) return undefined
  return { ext: portableMaps[Number(kind) - 1] ?? 'ppm', conclusive: Number(kind) > 3 }
}

// A version, run-length encoding, bits per pixel; the byte at 64 is reserved.
function detectPaintbrush(head: Uint8Array): Detected | undefined {
  const [mark, version = 1, encoding, bits = 0] = head
  const fits = mark === 10 && [0, 2, 3, 4, 5].includes(version) && encoding === 1 && [1, 2, 4, 8].includes(bits)
  return fits && head[64] === 0 && head.length > 128 ? sure('pcx') : undefined
}

/** Targa has no signature: a plausible header is only a hint. */
export function guessTarga(head: Uint8Array): Detected | undefined {
  const [, mapped = 2, type = 0] = head
  if (head.length < 18 || ![1, 2, 3, 9, 10, 11].includes(type)) return undefined
  const isPalette = type === 1 || type === 9
  const hasFittingMap = isPalette ? mapped === 1 : mapped <= 1
  const [width, height] = [littleEndianAt(head, 12, 2), littleEndianAt(head, 14, 2)]
  const hasFittingDepth = [8, 15, 16, 24, 32].includes(head[16] ?? 0)
  const fits = hasFittingMap && hasFittingDepth && width > 0 && height > 0
  return fits ? { ext: 'tga', conclusive: false } : undefined
}
