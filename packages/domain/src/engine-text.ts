/** The most bytes (UTF-8) that are kept of engine output for operators. */
export const maxDetailBytes = 4096
/** The most warnings that are kept per task. */
export const maxWarnings = 100
/** The most bytes (UTF-8) of one warning. */
export const maxWarningBytes = 512

/**
 * Makes engine text safe to store: at most `maxBytes`, no partial characters, no control characters except line breaks
 * and tabs. PostgreSQL rejects NUL and lone surrogates, and terminals interpret the other control characters.
 */
export function cleanText(text: string, maxBytes: number): string {
  // Each UTF-16 code unit takes at least one byte of UTF-8, so nothing after this can be kept.
  const some = text.length > maxBytes ? text.slice(0, maxBytes) : text
  return cutBytes(some.toWellFormed().replaceAll(/[^\P{Cc}\n\r\t]/gu, '\ufffd'), maxBytes)
}

/** What is kept of engine output for operators: its beginning, and its end, where programs report why they stopped. */
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

/** The warnings of an engine that can be stored and shown: strings without duplicates, each on one line. */
export function cleanWarnings(given: unknown): readonly string[] {
  const texts = Array.isArray(given) ? given.slice(0, maxWarnings).filter((one) => typeof one === 'string') : []
  const lines = texts.map((text) => cleanText(text.replaceAll(/\s+/gu, ' ').trim(), maxWarningBytes))
  return [...new Set(lines)].filter((line) => line !== '')
}

// Never cuts in the middle of a character.
function cutBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && isWithinCharacter(bytes[end])) end -= 1
  return new TextDecoder().decode(bytes.subarray(0, end))
}

// UTF-8 continuation bytes start with the bits 10.
function isWithinCharacter(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}
