import { Readable } from 'node:stream'
import type { ByteRange } from '../object-store.ts'

/** A section of an archive: either a record, created on demand, or the bytes of a file, opened on demand. */
export interface Piece {
  readonly offset: number
  readonly length: number
  readonly bytes?: () => Buffer
  readonly open?: (range: ByteRange | undefined, signal: AbortSignal) => Promise<Readable>
}

/** A file whose bytes differ from what its archive announced. */
export class EntryChanged extends Error {
  override readonly name = 'EntryChanged'

  constructor(expected: number, cause?: unknown) {
    super(`An archived file did not bring the ${expected} bytes asked of it.`, { cause })
  }
}

// Large enough to send small records together, small enough that a slow reader costs little memory.
const highWaterMark = 256 * 1024

/** Streams a range of the pieces, which follow each other without gaps. */
export function streamPieces(pieces: readonly Piece[], range: ByteRange, signal: AbortSignal): Readable {
  const closed = new AbortController()
  const chunks = generate(pieces, range, AbortSignal.any([signal, closed.signal]))
  return new Readable({
    highWaterMark,
    signal,
    read() {
      chunks.next().then(
        ({ value, done }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      )
    },
    // Not `Readable.from`: it waits for the pending chunk before it closes, and a stuck entry never delivers one.
    destroy(error, done) {
      closed.abort()
      chunks.return(undefined).then(() => done(error), done)
    },
  })
}

async function* generate(pieces: readonly Piece[], range: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let n = findPiece(pieces, range.start); n < pieces.length; n++) {
    const piece = pieces[n]
    if (!piece || piece.offset > range.end) return
    const start = Math.max(range.start - piece.offset, 0)
    const end = Math.min(range.end - piece.offset, piece.length - 1)
    if (piece.bytes) yield piece.bytes().subarray(start, end + 1)
    if (piece.open) yield* readEntry(piece, piece.open, { start, end }, signal)
  }
}

async function* readEntry(
  { length }: Piece,
  open: NonNullable<Piece['open']>,
  range: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const expected = range.end - range.start + 1
  const source = await open(expected === length ? undefined : range, signal)
  let seen = 0
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    seen += chunk.length
    // The reader got the length before the first byte: only a broken stream can report the error now.
    if (seen > expected) throw new EntryChanged(expected)
    if (chunk.length > 0) yield chunk
  }
  if (seen < expected) throw new EntryChanged(expected)
}

/** The last piece that starts at or before a position. */
function findPiece(pieces: readonly Piece[], position: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.offset ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
