import { hasText, indexOfText, littleEndianAt } from './bytes.ts'
import { detectContainer } from './containers.ts'
import { detectMarkup } from './markup.ts'
import { signatures } from './signatures.ts'

/** What the bytes of a file say it is. */
export interface Detected {
  readonly ext: string
  /** Whether the bytes leave no doubt, so that a name or declaration counts for nothing. */
  readonly conclusive: boolean
}

/** How many bytes of a file's head detection wants: office documents name their parts within this far. */
export const detectionBytes = 65_536

/** Recognises a format from the first bytes of a file. Looks at no more than `detectionBytes`; never throws. */
export function detectFormat(head: Uint8Array): Detected | undefined {
  const bytes = head.subarray(0, detectionBytes)
  return (
    detectSignature(bytes) ??
    detectContainer(bytes) ??
    detectBitmap(bytes) ??
    detectIcon(bytes) ??
    detectWeak(bytes) ??
    detectMarkup(bytes)
  )
}

function detectSignature(head: Uint8Array): Detected | undefined {
  const found = signatures.find(({ at, bytes }) => hasText(head, at, bytes))
  return found && { ext: found.ext, conclusive: true }
}

// Two letters are too few to trust, so the reserved zeros and the size of the second header must fit as well.
function detectBitmap(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, 'BM') || littleEndianAt(head, 6, 4) !== 0) return undefined
  const headerSize = littleEndianAt(head, 14, 4)
  return [12, 40, 52, 56, 64, 108, 124].includes(headerSize) ? { ext: 'bmp', conclusive: true } : undefined
}

function detectIcon(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\0\0\x01\0') || head.length < 22) return undefined
  const count = littleEndianAt(head, 4, 2)
  return count > 0 && head[9] === 0 ? { ext: 'ico', conclusive: true } : undefined
}

/** Signs that fit several formats: the name or the declaration may know better. */
function detectWeak(head: Uint8Array): Detected | undefined {
  // One shell for all of the old office formats, and for installers and mails too.
  if (hasText(head, 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return { ext: 'doc', conclusive: false }
  if (isMpegAudio(head)) return { ext: 'mp3', conclusive: false }
  // Readers accept a PDF header anywhere in the first 1,024 bytes.
  return indexOfText(head, '%PDF-', 1024) === -1 ? undefined : { ext: 'pdf', conclusive: false }
}

// Frame sync, layer III, and neither the bit rate nor the sample rate that the standard reserves.
function isMpegAudio(head: Uint8Array): boolean {
  const [sync = 0, version = 0, rates = 0] = head
  return sync === 0xff && (version & 0xe6) === 0xe2 && rates >> 4 !== 15 && (rates & 12) !== 12
}
