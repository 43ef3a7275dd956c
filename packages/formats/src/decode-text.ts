/** Reads the head of a file as text, or returns `undefined` for bytes that no text contains. */
export function decodeText(head: Uint8Array): string | undefined {
  if (head.length === 0) return undefined
  if (head[0] === 0xff && head[1] === 0xfe) return asWide('utf-16le', head)
  if (head[0] === 0xfe && head[1] === 0xff) return asWide('utf-16be', head)
  if (!head.some(isBinary)) return decodeAs('utf-8', head)
  const wide = unmarkedWide(head)
  return wide === undefined ? undefined : asWide(wide, head)
}

// Binary data that only begins like a byte order mark contains control characters sooner or later.
function asWide(encoding: 'utf-16le' | 'utf-16be', head: Uint8Array): string | undefined {
  const text = decodeAs(encoding, head)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 32 && isBinary(code)) return undefined
    if (code === 0xfffe || code === 0xffff) return undefined
  }
  return text
}

/** Detects UTF-16 without a byte order mark: in Latin text every other byte is zero, and none of the others. */
function unmarkedWide(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head.length < 8) return undefined
  const pairs = Math.min(head.length >> 1, 2048)
  let [zerosFirst, zerosSecond] = [0, 0]
  for (let n = 0; n < pairs; n++) {
    if (head[2 * n] === 0) zerosFirst++
    if (head[2 * n + 1] === 0) zerosSecond++
  }
  if (zerosFirst === 0 && zerosSecond > pairs * 0.6) return 'utf-16le'
  return zerosSecond === 0 && zerosFirst > pairs * 0.6 ? 'utf-16be' : undefined
}

// TextDecoder drops the byte order mark, and throws only if it is created as fatal.
function decodeAs(encoding: string, head: Uint8Array): string {
  return new TextDecoder(encoding).decode(head)
}

// Control characters that text files do not contain: all but tab, line feed, form feed, carriage return, escape, and
// the end mark that DOS put after texts.
function isBinary(byte: number): boolean {
  return byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 26 && byte !== 27
}
