import { hasText, indexOfText } from './bytes.ts'
import type { Detected } from './detect.ts'

/** PostScript: whole documents, single images, and Illustrator's versions of both. */
export function detectPostscript(head: Uint8Array): Detected | undefined {
  // A binary header with the offsets of the PostScript and of its preview.
  if (hasText(head, 0, '\xc5\xd0\xd3\xc6')) return { ext: 'eps', conclusive: true, variants: ['ai'] }
  // Files for printers may begin with an end of transmission.
  const start = head[0] === 4 ? 1 : 0
  if (!hasText(head, start, '%!PS')) return undefined
  const line = head.subarray(start, start + 80)
  const [feed, comment] = [indexOfEnd(line), indexOfText(line, 'EPSF', 80)]
  const isPicture = comment !== -1 && comment < feed
  return isPicture
    ? { ext: 'eps', conclusive: true, variants: ['ai'] }
    : { ext: 'ps', conclusive: true, variants: ['eps', 'ai'] }
}

function indexOfEnd(line: Uint8Array): number {
  const at = line.findIndex((byte) => byte === 10 || byte === 13)
  return at === -1 ? line.length : at
}
