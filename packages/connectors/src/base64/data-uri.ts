/** How many characters of base64 one request may carry: 1.5 MiB. */
export const maxBase64Length = 1_572_864

/** The parts of a data URI. */
export interface DataUri {
  /** As written, or RFC 2397's `text/plain` when left out; parameters are not kept. */
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** Longer heads than any media type with its parameters are nonsense, and not worth a regular expression's time. */
const maxHeadLength = 512

const token = "[A-Za-z0-9!#$&^_.+'*%`|~-]{1,127}"
const quoted = '"[^"\\\\\\r\\n]{0,127}"'
const head = new RegExp(`^data:(${token}/${token})?((?:;${token}=(?:${token}|${quoted}))*);base64$`, 'i')

/**
 * Reads `data:<media type>;base64,<data>`. Strict: whole groups with their padding, the standard alphabet, no blanks,
 * no stray bits; anything else is `undefined`. The length limit is the caller's to check first, as it has an answer of its own.
 */
export function parseDataUri(text: string): DataUri | undefined {
  const comma = text.indexOf(',')
  if (comma === -1 || comma > maxHeadLength) return undefined
  const match = head.exec(text.slice(0, comma))
  if (!match) return undefined
  const bytes = decodeStrictly(text.slice(comma + 1))
  return bytes && { mediaType: (match[1] ?? 'text/plain').toLowerCase(), bytes }
}

// Buffer skips what it cannot read; encoding back shows whether it skipped anything.
function decodeStrictly(data: string): Uint8Array | undefined {
  if (data.length % 4 !== 0) return undefined
  const bytes = Buffer.from(data, 'base64')
  return bytes.toString('base64') === data ? new Uint8Array(bytes) : undefined
}
