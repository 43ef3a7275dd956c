import { bigEndianAt, hasText } from './bytes.ts'
import type { Detected } from './detect.ts'

// How many chunks before the first pixels are checked.
const maxChunks = 64

/** PNG. An animated one has a chunk before its pixels, and is a still image to programs that do not know it. */
export function detectPng(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\x89PNG\r\n\x1a\n')) return undefined
  let at = 8
  for (let n = 0; n < maxChunks && at + 8 <= head.length && !hasText(head, at + 4, 'IDAT'); n++) {
    if (hasText(head, at + 4, 'acTL')) return { ext: 'apng', conclusive: true, variants: ['png'] }
    at += 12 + bigEndianAt(head, at)
  }
  return { ext: 'png', conclusive: true }
}
