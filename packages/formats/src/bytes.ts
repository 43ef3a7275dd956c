/** Whether the bytes at an offset equal a string of single-byte characters. */
export function hasText(bytes: Uint8Array, offset: number, text: string): boolean {
  if (offset + text.length > bytes.length) return false
  for (let i = 0; i < text.length; i++) {
    if (bytes[offset + i] !== text.charCodeAt(i)) return false
  }
  return true
}

/** The offset of a string of single-byte characters before `end`, or -1. */
export function indexOfText(bytes: Uint8Array, text: string, end: number): number {
  const first = text.charCodeAt(0)
  let at = bytes.indexOf(first)
  while (at !== -1 && at < end) {
    if (hasText(bytes, at, text)) return at
    at = bytes.indexOf(first, at + 1)
  }
  return -1
}

/** Reads single-byte characters, fewer at the end of the bytes. */
export function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + Math.min(length, 256)))
}

/** Reads a number of up to four bytes, least significant byte first; missing bytes count as zero. */
export function littleEndianAt(bytes: Uint8Array, offset: number, length: number): number {
  let value = 0
  for (let i = length - 1; i >= 0; i--) value = value * 256 + (bytes[offset + i] ?? 0)
  return value
}

/** Reads a four byte number, most significant byte first; missing bytes count as zero. */
export function bigEndianAt(bytes: Uint8Array, offset: number): number {
  let value = 0
  for (let i = 0; i < 4; i++) value = value * 256 + (bytes[offset + i] ?? 0)
  return value
}
