import { constants, inflateRawSync, inflateSync } from 'node:zlib'

/** The whole content of a document, with packed parts unpacked: what is not in here is not in the document. */
export function reveal(bytes: Buffer): string {
  return [bytes, ...zipParts(bytes), ...pdfStreams(bytes)].map((part) => part.toString('latin1')).join('\n')
}

/** The unpacked parts of a zip, found by their headers. */
export function zipParts(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let at = bytes.indexOf('PK\x03\x04'); at !== -1; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    const isPacked = bytes.readUInt16LE(at + 8) === 8
    parts.push(isPacked ? inflated(() => inflateRawSync(bytes.subarray(start), lenient)) : bytes.subarray(start))
  }
  return parts
}

function pdfStreams(bytes: Buffer): readonly Buffer[] {
  const starts = [...bytes.toString('latin1').matchAll(/stream\r?\n/g)].map(({ index, 0: mark }) => index + mark.length)
  return starts.map((start) => inflated(() => inflateSync(bytes.subarray(start), lenient)))
}

// Ignores data after a packed part.
const lenient = { finishFlush: constants.Z_SYNC_FLUSH }

function inflated(unpack: () => Buffer): Buffer {
  try {
    return unpack()
  } catch {
    return Buffer.alloc(0)
  }
}
