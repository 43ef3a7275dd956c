/** A complete file on this machine, which can be read more than once. */
export interface LocalFile {
  readonly size: number
  /** Fills the buffer from this position of the file on, and returns the number of bytes read. */
  read(buffer: Uint8Array, position: number): Promise<number>
}

// Each read is handed to another thread, so pieces are larger than those of a stream.
const pieceBytes = 2 ** 19
// While the next piece is read, a sending stream has one in transit and one at hand.
const ringSize = 4

/**
 * The bytes of a file, exactly as many as its size. Throws if they no longer exist. Buffers are reused, because a new
 * one for each piece would keep the garbage collector busy: each piece is overwritten by the fourth one after it.
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

/** The whole file in one buffer. Throws if its bytes no longer exist. */
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
