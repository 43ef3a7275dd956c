/** A file on this machine: it lies there whole and can be read again. */
export interface LocalFile {
  readonly size: number
  /** Fills the buffer from this place of the file on, as far as both go; tells how many bytes it was. */
  read(buffer: Uint8Array, position: number): Promise<number>
}

// Each read is a trip to another thread, so pieces are larger than those of a stream.
const pieceBytes = 2 ** 19
// A stream that sends pieces has one on its way and one in hand while the next is read.
const ringSize = 4

/**
 * The bytes of a file, exactly as many as it says it has; throws if they are no longer there. Buffers are used in turn,
 * because a new one for each piece makes Node collect garbage all the time: a piece is overwritten by the fourth after it.
 */
export async function* readPieces(file: LocalFile): AsyncGenerator<Buffer> {
  const ring: Buffer[] = []
  for (let at = 0, n = 0; at < file.size; at += pieceBytes, n += 1) {
    const length = Math.min(pieceBytes, file.size - at)
    const buffer = ring[n % ringSize] ?? Buffer.allocUnsafeSlow(length)
    ring[n % ringSize] = buffer
    const piece = buffer.subarray(0, length)
    await fill(piece, file, at)
    yield piece
  }
}

/** All of a file in one buffer; throws if its bytes are no longer there. */
export async function readWhole(file: LocalFile): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(file.size)
  await fill(whole, file, 0)
  return whole
}

async function fill(buffer: Buffer, file: LocalFile, at: number): Promise<void> {
  for (let filled = 0; filled < buffer.length; ) {
    const count = await file.read(buffer.subarray(filled), at + filled)
    if (count === 0) throw new Error('the file became shorter while it was read')
    filled += count
  }
}
