/** A part of an upload. All but the last are full. */
export interface Part {
  readonly bytes: Buffer
  readonly isLast: boolean
}

export interface PartReader {
  readonly parts: AsyncGenerator<Part>
  /** Returns a part's buffer for reuse, once its bytes have been sent. */
  release(part: Part): void
}

const firstCapacity = 64 * 1024

/**
 * Cuts chunks into parts. Chunks are copied, as their producers may reuse them. A small body costs a
 * small buffer. Full-size buffers are reused, so an upload holds one more than it has in flight.
 */
export function readParts(chunks: AsyncIterable<Uint8Array>, partSize: number): PartReader {
  const free: ArrayBufferLike[] = []
  let buffer: Buffer = Buffer.alloc(0)
  let length = 0

  const append = (chunk: Uint8Array): number => {
    if (length === buffer.length) buffer = grown(buffer, Math.min(chunk.length + length, partSize), { partSize, free })
    const taken = Math.min(chunk.length, buffer.length - length)
    buffer.set(chunk.subarray(0, taken), length)
    length += taken
    return taken
  }
  const take = (isLast: boolean): Part => {
    const bytes = buffer.subarray(0, length)
    buffer = Buffer.alloc(0)
    length = 0
    return { bytes, isLast }
  }
  async function* cut(): AsyncGenerator<Part> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; ) {
        // Held back until the next chunk arrives: only then is it known not to be the last part.
        if (length === partSize) yield take(false)
        at += append(chunk.subarray(at))
      }
    }
    yield take(true)
  }
  return {
    parts: cut(),
    release({ bytes }) {
      if (bytes.buffer.byteLength === partSize) free.push(bytes.buffer)
    },
  }
}

interface Supply {
  readonly partSize: number
  readonly free: ArrayBufferLike[]
}

function grown(buffer: Buffer, needed: number, { partSize, free }: Supply): Buffer {
  const capacity = Math.min(Math.max(firstCapacity, buffer.length * 2, needed), partSize)
  const reused = free.pop()
  // Not from Node's shared pool, which would keep a whole slab alive for a slice of it.
  const larger = reused ? Buffer.from(reused) : Buffer.allocUnsafeSlow(capacity)
  larger.set(buffer)
  return larger
}
