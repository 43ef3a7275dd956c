import { detectBitmap, guessTarga } from './bitmaps.ts'
import { hasText, indexOfText } from './bytes.ts'
import { detectContainer } from './containers.ts'
import { detectMarkup } from './markup.ts'
import { detectMedia, isDolby } from './media.ts'
import { detectMhtml } from './mhtml.ts'
import { detectPostscript } from './postscript.ts'
import { signatures } from './signatures.ts'
import { detectTiff } from './tiff.ts'

/** What the bytes of a file say it is. */
export interface Detected {
  readonly ext: string
  /** Whether the bytes leave no doubt, so that a name or declaration counts for nothing. */
  readonly conclusive: boolean
  /** Formats of the same bytes, as far as they can be seen: here a name or declaration decides. */
  readonly variants?: readonly string[]
}

/** How many bytes of a file's head detection wants: office documents name their parts within this far. */
export const detectionBytes = 65_536

/** Recognises a format from the first bytes of a file. Looks at no more than `detectionBytes`; never throws. */
export function detectFormat(head: Uint8Array): Detected | undefined {
  const bytes = head.subarray(0, detectionBytes)
  return (
    detectSignature(bytes) ??
    detectTiff(bytes) ??
    detectPostscript(bytes) ??
    detectContainer(bytes) ??
    detectMedia(bytes) ??
    detectBitmap(bytes) ??
    detectMhtml(bytes) ??
    detectWeak(bytes) ??
    detectMarkup(bytes) ??
    guessTarga(bytes)
  )
}

function detectSignature(head: Uint8Array): Detected | undefined {
  const found = signatures.find(({ at, bytes }) => hasText(head, at, bytes))
  return found && { ext: found.ext, conclusive: true, ...(found.variants && { variants: found.variants }) }
}

/** Signs that fit several formats: the name or the declaration may know better. */
function detectWeak(head: Uint8Array): Detected | undefined {
  if (isDolby(head)) return { ext: 'ac3', conclusive: false }
  if (isMpegAudio(head)) return { ext: 'mp3', conclusive: false }
  // Readers accept a PDF header anywhere in the first 1,024 bytes.
  return indexOfText(head, '%PDF-', 1024) === -1 ? undefined : { ext: 'pdf', conclusive: false }
}

// Frame sync, layer III, and neither the bit rate nor the sample rate that the standard reserves.
function isMpegAudio(head: Uint8Array): boolean {
  const [sync = 0, version = 0, rates = 0] = head
  return sync === 0xff && (version & 0xe6) === 0xe2 && rates >> 4 !== 15 && (rates & 12) !== 12
}
