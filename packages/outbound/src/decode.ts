import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

type Decoder = () => Transform

const decoders: Readonly<Record<string, Decoder | undefined>> = {
  identity: undefined,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * How to decode a Content-Encoding. We request none, but some servers compress anyway. Nested encodings are unknown.
 */
export function findDecoder(encoding: string | undefined): Decoder | undefined | 'unknown' {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '') return undefined
  return Object.hasOwn(decoders, name) ? decoders[name] : 'unknown'
}

/** The decoded bytes, produced only as fast as they are read. */
export async function* decode(source: AsyncIterable<Uint8Array>, decoder: Decoder): AsyncGenerator<Uint8Array> {
  const decoded = decoder()
  // The stream itself reports the outcome to the reader.
  pipeline(Readable.from(source), decoded, () => {})
  yield* decoded
}
