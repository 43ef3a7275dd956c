import { hasText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Plain pictures whose first bytes are too few or too common to trust alone, so more of the header must fit. */
export function detectBitmap(head: Uint8Array): Detected | undefined {
  return (
    detectWindowsBitmap(head) ??
    detectIcon(head) ??
    detectMetafile(head) ??
    detectPortableMap(head) ??
    detectPaintbrush(head)
  )
}

// A record of type 1 with a mark further on, or the header most programs put first, or the bare one of nine words.
function detectMetafile(head: Uint8Array): Detected | undefined {
  if (hasText(head, 0, '\x01\0\0\0') && hasText(head, 40, ' EMF')) return sure('emf')
  if (hasText(head, 0, '\xd7\xcd\xc6\x9a')) return sure('wmf')
  const isBare = hasText(head, 0, '\x01\0\x09\0\0\x03') || hasText(head, 0, '\x01\0\x09\0\0\x01')
  return isBare && littleEndianAt(head, 16, 2) === 0 ? sure('wmf') : undefined
}

function detectWindowsBitmap(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, 'BM') || littleEndianAt(head, 6, 4) !== 0) return undefined
  const headerSize = littleEndianAt(head, 14, 4)
  return [12, 40, 52, 56, 64, 108, 124].includes(headerSize) ? sure('bmp') : undefined
}

function detectIcon(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\0\0\x01\0') || head.length < 22) return undefined
  const count = littleEndianAt(head, 4, 2)
  return count > 0 && head[9] === 0 ? sure('ico') : undefined
}

const portableMaps = ['pbm', 'pgm', 'ppm', 'pbm', 'pgm', 'ppm'] as const

// `P6`, comments, width, height. Those of digits alone might be the beginning of a text.
function detectPortableMap(head: Uint8Array): Detected | undefined {
  const start = textAt(head, 0, 256)
  const kind = /^P([1-6])[ \t\r\n](?:[ \t\r\n]{0,8}#[^\n]{0,128}\n){0,8}[ \t\r\n]{0,8}\d{1,9}[ \t\r\n]/.exec(start)?.[1]
  if (kind === undefined) return undefined
  return { ext: portableMaps[Number(kind) - 1] ?? 'ppm', conclusive: Number(kind) > 3 }
}

// A version, run lengths, bits a pixel; the byte at 64 is reserved.
function detectPaintbrush(head: Uint8Array): Detected | undefined {
  const [mark, version = 1, encoding, bits = 0] = head
  const fits = mark === 10 && [0, 2, 3, 4, 5].includes(version) && encoding === 1 && [1, 2, 4, 8].includes(bits)
  return fits && head[64] === 0 && head.length > 128 ? sure('pcx') : undefined
}

/** Targa has no signature at all: a header that makes sense is no more than a hint. */
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
