import { Readable } from 'node:stream'
import type { ExportFile } from './connector.ts'

/** Reads a file in parts: from one stream while parts are consecutive, from a new one when a part is sent again. */
export interface FileParts extends Disposable {
  /** The bytes of a part, to be sent once. Errors of the file are errors of the stream. */
  read(start: number, length: number): Readable
  /** Drops the stream: the sender of the last part may have read any share of it. */
  rewind(): void
}

interface Place {
  readonly stream: Readable
  readonly chunks: AsyncIterator<Uint8Array>
  at: number
  rest: Uint8Array | undefined
}

/** Opens the file when the first part is read, and reports how far it has read. */
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
    // The reader gets the error. If no one reads the stream anymore, its errors do not matter.
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
