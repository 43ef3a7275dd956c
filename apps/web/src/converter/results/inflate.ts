// A few bytes can become gigabytes.
const mostText = 64_000_000

/** Decompresses the start of bytes. What follows the end of the data, such as a line break, is ignored. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>, format: 'deflate' | 'deflate-raw'): Promise<string> {
  const decoder = new TextDecoder('latin1')
  let text = ''
  try {
    for await (const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > mostText) break
    }
  } catch {
    // Damaged data counts up to the damage.
  }
  return text
}
