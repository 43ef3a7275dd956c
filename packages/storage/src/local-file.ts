/** A file on this machine: it lies there whole and can be read again. */
export interface LocalFile {
  readonly size: number
  /** Fills the buffer from this place of the file on, as far as both go; tells how many bytes it was. */
  read(buffer: Uint8Array, position: number): Promise<number>
}

// Each read is a trip to another thread, so pieces are larger than those of a stream.
const pieceBytes = 2 ** 20

/** The bytes of a file, exactly as many as it says it has; throws if they are no longer there. */
export async function* readPieces(file: LocalFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.size; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, file.size - at))
    for (let filled = 0; filled < piece.length; ) {
      const count = await file.read(piece.subarray(filled), at + filled)
      if (count === 0) throw new Error('the file became shorter while it was read')
      filled += count
    }
    at += piece.length
    yield piece
  }
}
