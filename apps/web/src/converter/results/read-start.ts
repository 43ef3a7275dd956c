/** As much of a text as the dialog shows. */
export const textBytes = 256 * 1024

/** The start of a text file; undefined if its bytes are no text. */
export async function readStart(file: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.slice(0, textBytes).arrayBuffer())
  const [a, b] = bytes
  const isUtf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
  const encoding = isUtf16 ? (a === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  // As a stream, so that a character that is cut off at the end is left out.
  const text = new TextDecoder(encoding).decode(bytes, { stream: true })
  return text.includes('\u0000') ? undefined : text
}
