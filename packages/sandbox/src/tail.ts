import type { Readable } from 'node:stream'
import { cleanText } from '@lathe/domain'

/** The last bytes of a stream that is always drained, however much it carries. */
export interface Tail {
  text(): string
}

/** Keeps the end of a stream: a flood costs its writer time, but never memory of this process. */
export function createTail(stream: Readable, limit: number): Tail {
  let chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    // Joined only now and then: joining every chunk would be quadratic for a writer of single bytes.
    if (size > 2 * limit || chunks.length > 1024) {
      chunks = [Buffer.concat(chunks).subarray(-limit)]
      size = Math.min(size, limit)
    }
  })
  stream.on('error', () => {})
  // Cleaned here, where it enters: later code need not know that an engine may write any bytes.
  return { text: () => cleanText(Buffer.concat(chunks).subarray(-limit).toString('utf8'), 3 * limit) }
}
