import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

const maxDepth = 4
const maxLayer = 64 * 1024 ** 2
// A normal output has a handful of streams; this bounds the cost of a hostile one.
const maxStreams = 2_000

/** A file and everything packed inside it: zlib and gzip streams, members of ZIP archives, PDF streams in hex. */
export function* layersOf(bytes: Buffer, depth = 0): Generator<Buffer> {
  yield bytes
  if (depth === maxDepth) return
  for (const inner of [...zlibStreams(bytes), ...zipMembers(bytes), ...hexRuns(bytes)]) {
    yield* layersOf(inner, depth + 1)
  }
}

/** The contents of zlib or gzip streams, tried wherever two bytes could begin one. */
function zlibStreams(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  let tries = 0
  for (let at = 0; at < bytes.length - 2 && tries < maxStreams; at++) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]]
    const isZlib = first === 0x78 && (first * 256 + second) % 31 === 0
    const isGzip = first === 0x1f && second === 0x8b
    if (!isZlib && !isGzip) continue
    tries++
    const inner = unpack(isZlib ? inflateSync : gunzipSync, bytes.subarray(at))
    if (inner) found.push(inner)
  }
  return found
}

/**
 * The members of a ZIP archive, found by their local headers, so that members missing in the directory are seen too.
 */
function zipMembers(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  const mark = Buffer.from('PK\x03\x04', 'latin1')
  for (let at = bytes.indexOf(mark); at !== -1 && found.length < maxStreams; at = bytes.indexOf(mark, at + 4)) {
    if (at + 30 > bytes.length || bytes.readUInt16LE(at + 8) !== 8) continue
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    const inner = unpack(inflateRawSync, bytes.subarray(start))
    if (inner) found.push(inner)
  }
  return found
}

/** Long runs of hex, as in `Raw profile type` chunks and PDF strings, decoded to bytes. */
function hexRuns(bytes: Buffer): readonly Buffer[] {
  const text = bytes.subarray(0, maxLayer).toString('latin1')
  return [...text.matchAll(/[0-9a-fA-F]{2}(?:[\s]?[0-9a-fA-F]{2}){31,}/g)]
    .slice(0, maxStreams)
    .map(([run]) => Buffer.from(run.replaceAll(/\s/g, ''), 'hex'))
}

function unpack(how: typeof inflateSync, bytes: Buffer): Buffer | undefined {
  try {
    // SYNC_FLUSH: keeps the decoded bytes even if the stream is cut or other data follows.
    const inner = how(bytes, { finishFlush: 2, maxOutputLength: maxLayer })
    return inner.length > 16 ? inner : undefined
  } catch {
    return undefined
  }
}
