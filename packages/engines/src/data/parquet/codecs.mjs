// @ts-check
import { brotliDecompressSync, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { snappyUncompress } from 'hyparquet'

/** @typedef {(input: Uint8Array, outputLength: number) => Uint8Array} Decompressor */

/**
 * What decompresses pages. None makes more bytes than the header of its page says, and that was compared with the limit.
 * @type {Record<string, Decompressor>}
 */
export const decompressors = {
  SNAPPY: (input, length) => {
    const output = new Uint8Array(length)
    snappyUncompress(input, output)
    return output
  },
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(length, 1) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
  LZ4_RAW: (input, length) => lz4Block(input, length),
  LZ4: (input, length) => lz4Hadoop(input, length) ?? lz4Block(input, length),
}

/** What compresses pages that are written; Snappy is built into the library. */
export const compressors = {
  GZIP: (/** @type {Uint8Array} */ input) => gzipSync(input),
  ZSTD: (/** @type {Uint8Array} */ input) => zstdCompressSync(input),
}

/**
 * A block of LZ4: runs of literal bytes, each followed by a copy of bytes that came before.
 * @param {Uint8Array} input @param {number} length
 */
export function lz4Block(input, length) {
  const output = new Uint8Array(length)
  let [at, to] = [0, 0]
  const extended = (/** @type {number} */ start) => {
    let size = start
    if (start < 15) return size
    for (;;) {
      const byte = input[at++]
      if (byte === undefined) throw new Error('lz4 block ends in a length')
      size += byte
      if (byte < 255) return size
    }
  }
  while (at < input.length) {
    const token = input[at++] ?? 0
    const literals = extended(token >> 4)
    if (at + literals > input.length || to + literals > length) throw new Error('lz4 literals beyond the end')
    output.set(input.subarray(at, at + literals), to)
    at += literals
    to += literals
    // The last run has no copy.
    if (at >= input.length) break
    const offset = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8)
    at += 2
    const size = extended(token & 15) + 4
    if (offset === 0 || offset > to || to + size > length) throw new Error('lz4 copy from nowhere')
    for (let n = 0; n < size; n++, to++) output[to] = output[to - offset] ?? 0
  }
  if (to !== length) throw new Error('lz4 block is too short')
  return output
}

/**
 * The framing that Hadoop puts around blocks of LZ4: two sizes before each. Undefined where there is none: some writers
 * leave it out.
 * @param {Uint8Array} input @param {number} length
 */
function lz4Hadoop(input, length) {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  const output = new Uint8Array(length)
  let [at, to] = [0, 0]
  while (at + 8 <= input.length) {
    const [size, packed] = [view.getUint32(at), view.getUint32(at + 4)]
    at += 8
    if (packed > input.length - at || size > length - to) return undefined
    try {
      output.set(lz4Block(input.subarray(at, at + packed), size), to)
    } catch {
      return undefined
    }
    at += packed
    to += size
  }
  return at === input.length && to === length ? output : undefined
}
