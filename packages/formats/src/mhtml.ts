import type { Detected } from './detect.ts'

// Header fields of RFC 5322 down to the first empty line, continued lines included.
const headerBlock = /^(?:[!-9;-~]{1,64}:[^\n]*\n(?:[ \t][^\n]*\n)*)+\r?\n/

/** A web page with all it shows in one file: a MIME message of related parts, a page among them. */
export function detectMhtml(head: Uint8Array): Detected | undefined {
  // Most files are no text that begins with a letter: those are seen at once.
  if (!isLetter(head[0])) return undefined
  // Parts may be binary; the fields that count are plain ASCII.
  const text = new TextDecoder('latin1').decode(head)
  const header = headerBlock.exec(text)?.[0].replaceAll(/\r?\n[ \t]+/g, ' ') ?? ''
  if (!/^mime-version:/im.test(header)) return undefined
  const type = /^content-type:([^\n]*)/im.exec(header)?.[1] ?? ''
  if (!/^\s*multipart\/related\b/i.test(type)) return undefined
  const hasPage = /\btype="?text\/html/i.test(type) || /\ncontent-type:\s*text\/html/i.test(text)
  return hasPage ? { ext: 'mhtml', conclusive: true } : undefined
}

function isLetter(byte = 0): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
