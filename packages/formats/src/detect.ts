import { detectAudio, detectFrames } from './audio.ts'
import { detectBitmap, guessTarga } from './bitmaps.ts'
import { hasText, indexOfText, textAt } from './bytes.ts'
import { detectContainer } from './containers.ts'
import { detectMail } from './mail.ts'
import { detectMarkup } from './markup.ts'
import { detectMedia } from './media.ts'
import { detectOldOffice, detectOldWordPerfect } from './old-office.ts'
import { detectOther } from './other-formats.ts'
import { detectPng } from './png.ts'
import { detectPostscript } from './postscript.ts'
import { signatures } from './signatures.ts'
import { detectTagged } from './tagged-audio.ts'
import { detectTar } from './tar.ts'
import { detectTiff } from './tiff.ts'

/** What the bytes of a file say it is. */
export interface Detected {
  /** An extension of the table `formats`, or of `recognised`. */
  readonly ext: string
  /** Whether the bytes leave no doubt, so that a name or declaration counts for nothing. */
  readonly conclusive: boolean
  /** Formats of the same bytes, as far as they can be seen: here a name or declaration decides. */
  readonly variants?: readonly string[]
  /** Whether the whole file is packed by gzip, and the format is that of what comes out. */
  readonly isPacked?: boolean
}

/** How many bytes of a file's head detection wants: office documents name their parts within this far. */
export const detectionBytes = 65_536

/** Recognises a format from the first bytes of a file. Looks at no more than `detectionBytes`; never throws. */
export function detectFormat(head: Uint8Array): Detected | undefined {
  const bytes = head.subarray(0, detectionBytes)
  return (
    detectSignature(bytes) ??
    detectPng(bytes) ??
    detectTiff(bytes) ??
    detectPostscript(bytes) ??
    detectContainer(bytes) ??
    detectTagged(bytes) ??
    detectMedia(bytes) ??
    detectAudio(bytes) ??
    detectBitmap(bytes) ??
    detectOldOffice(bytes) ??
    detectTar(bytes) ??
    detectMail(bytes) ??
    detectLatePdf(bytes) ??
    detectOther(bytes) ??
    detectFrames(bytes) ??
    detectMarkup(bytes) ??
    detectOldWordPerfect(bytes) ??
    guessTarga(bytes)
  )
}

function detectSignature(head: Uint8Array): Detected | undefined {
  const found = signatures.find(({ at, bytes }) => hasText(head, at, bytes))
  return found && { ext: found.ext, conclusive: true, ...(found.variants && { variants: found.variants }) }
}

// Readers accept a PDF header anywhere in the first 1,024 bytes, and do without one where an object follows.
function detectLatePdf(head: Uint8Array): Detected | undefined {
  const hasHeader = indexOfText(head, '%PDF-', 1024) !== -1
  const isPdf = hasHeader || /(?:^|[\r\n])\d{1,9} \d{1,5} obj\s/.test(textAt(head, 0, 256))
  return isPdf ? { ext: 'pdf', conclusive: false } : undefined
}
