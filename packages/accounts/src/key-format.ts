import { crc32 } from 'node:zlib'

/**
 * An API key, as its holder sees it:
 *
 *   lathe_ ┊ 30 random base62 digits (178 bits) ┊ 6 base62 digits of their CRC-32
 *
 * The prefix lets secret scanners find it; the checksum detects a mistyped key without a database query.
 */
const prefix = 'lathe_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomDigits = 30
const checksumDigits = 6
const pattern = new RegExp(`^${prefix}([0-9A-Za-z]{${randomDigits}})([0-9A-Za-z]{${checksumDigits}})$`)

/** The checksum digits of a key with these random digits. */
export function checksumOf(digits: string): string {
  let rest = crc32(digits)
  let text = ''
  while (text.length < checksumDigits) {
    text = alphabet.charAt(rest % alphabet.length) + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}

/** Creates a key from a source of uniformly distributed numbers below its argument. */
export function formatKey(draw: (below: number) => number): string {
  const digits = Array.from({ length: randomDigits }, () => alphabet.charAt(draw(alphabet.length))).join('')
  return prefix + digits + checksumOf(digits)
}

/** Whether a text has the form of a key and its checksum is correct. */
export function isKey(text: string): boolean {
  const [, digits, checksum] = pattern.exec(text) ?? []
  return digits !== undefined && checksumOf(digits) === checksum
}
