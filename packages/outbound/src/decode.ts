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

/** How to undo a Content-Encoding. We ask for none, yet some servers compress all the same. Layers upon layers are unknown to us. */
export function findDecoder(encoding: string | undefined): Decoder | undefined | 'unknown' {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '') return undefined
  return Object.hasOwn(decoders, name) ? decoders[name] : 'unknown'
}

/** The decoded bytes, made only as fast as they are read. */
export async function* decode(source: AsyncIterable<Uint8Array>, decoder: Decoder): AsyncGenerator<Uint8Array> {
  const decoded = decoder()
  // Its outcome reaches the reader through the stream itself.
  pipeline(Readable.from(source), decoded, () => {})
  yield* decoded
}
