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

/** The format that the bytes of a file indicate. */
export interface Detected {
  /** An extension from the table `formats` or `recognised`. */
  readonly ext: string
  /** Whether the bytes leave no doubt, so that names and declarations are ignored. */
  readonly conclusive: boolean
  /** Formats with the same first bytes: a name or declaration decides between them. */
  readonly variants?: readonly string[]
  /** Whether the whole file is compressed by gzip, and `ext` is the format of its content. */
  readonly isPacked?: boolean
}

/** How many bytes of a file's head detection reads: office documents name their parts within this distance. */
export const detectionBytes = 65_536

/** Detects a format from the first bytes of a file. Reads at most `detectionBytes`; never throws. */
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

// Readers accept a PDF header anywhere in the first 1,024 bytes, and need none if an object follows.
function detectLatePdf(head: Uint8Array): Detected | undefined {
  const hasHeader = indexOfText(head, '%PDF-', 1024) !== -1
  const isPdf = hasHeader || /(?:^|[\r\n])\d{1,9} \d{1,5} obj\s/.test(textAt(head, 0, 256))
  return isPdf ? { ext: 'pdf', conclusive: false } : undefined
}
