import { Readable } from 'node:stream'
import type { ExportFile } from './connector.ts'

/** Reads a file part by part: over one stream while parts follow each other, over a new one when a part is sent again. */
export interface FileParts extends Disposable {
  /** The bytes of a part, to be sent once; the file's own faults are the stream's error. */
  read(start: number, length: number): Readable
  /** Gives up the stream: whoever sent the last part may have read any share of it. */
  rewind(): void
}

interface Place {
  readonly stream: Readable
  readonly chunks: AsyncIterator<Uint8Array>
  at: number
  rest: Uint8Array | undefined
}

/** Opens nothing until the first part is read; tells how far it has read. */
export function createFileParts(file: ExportFile, reached: (bytes: number) => void): FileParts {
  let place: Place | undefined

  function rewind(): void {
    place?.stream.destroy()
    place = undefined
  }

  async function seek(start: number): Promise<Place> {
    if (place?.at === start) return place
    rewind()
    const stream = await file.open(start)
    // Heard by whoever reads; a stream that nobody reads any more has nothing to tell.
    stream.on('error', () => {})
    place = { stream, chunks: stream[Symbol.asyncIterator](), at: start, rest: undefined }
    return place
  }

  async function* bytes(start: number, length: number): AsyncGenerator<Uint8Array> {
    const here = await seek(start)
    const end = start + length
    while (here.at < end) {
      const chunk: Uint8Array | undefined = here.rest ?? (await here.chunks.next()).value
      if (chunk === undefined) throw new Error('the stored file is shorter than its record says')
      const piece = chunk.subarray(0, end - here.at)
      here.rest = piece.length < chunk.length ? chunk.subarray(piece.length) : undefined
      here.at += piece.length
      yield piece
      reached(here.at)
    }
  }

  return {
    rewind,
    read: (start, length) => Readable.from(bytes(start, length), { objectMode: false }),
    [Symbol.dispose]: rewind,
  }
}
