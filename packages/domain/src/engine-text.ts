/** The most bytes of UTF-8 that are kept of what an engine says for operators. */
export const maxDetailBytes = 4096
/** The most warnings of one task that are kept. */
export const maxWarnings = 100
/** The most bytes of UTF-8 of one warning. */
export const maxWarningBytes = 512

/**
 * Makes text of an engine safe to keep: at most so many bytes, no half characters, no control characters but line breaks
 * and tabs. PostgreSQL takes neither NUL nor half of a surrogate pair, and terminals obey the others.
 */
export function cleanText(text: string, maxBytes: number): string {
  // A character takes at least a byte for each of its code units, so what is beyond cannot be kept anyway.
  const some = text.length > maxBytes ? text.slice(0, maxBytes) : text
  return cutBytes(some.toWellFormed().replaceAll(/[^\P{Cc}\n\r\t]/gu, '\ufffd'), maxBytes)
}

/** What is kept for operators of what an engine says: how it begins, and its end, where programs say why they stopped. */
export function cleanDetail(text: string): string {
  const clean = cleanText(text, Number.POSITIVE_INFINITY)
  const bytes = new TextEncoder().encode(clean)
  if (bytes.length <= maxDetailBytes) return clean
  const gap = '\n[...]\n'
  const begin = cutBytes(clean, beginBytes)
  let start = bytes.length - (maxDetailBytes - beginBytes - gap.length)
  while (isWithinCharacter(bytes[start])) start += 1
  return `${begin}${gap}${new TextDecoder().decode(bytes.subarray(start))}`
}

const beginBytes = 256

/** The warnings of an engine that are fit to keep and to show: strings, each once, on one line. */
export function cleanWarnings(given: unknown): readonly string[] {
  const texts = Array.isArray(given) ? given.slice(0, maxWarnings).filter((one) => typeof one === 'string') : []
  const lines = texts.map((text) => cleanText(text.replaceAll(/\s+/gu, ' ').trim(), maxWarningBytes))
  return [...new Set(lines)].filter((line) => line !== '')
}

// Never in the middle of a character.
function cutBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && isWithinCharacter(bytes[end])) end -= 1
  return new TextDecoder().decode(bytes.subarray(0, end))
}

// Bytes that begin with 10 go on with a character.
function isWithinCharacter(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}
