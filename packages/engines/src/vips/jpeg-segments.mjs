// @ts-check

const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * JPEG data without its profiles, EXIF and comments, and without whatever follows the picture's end.
 * The picture itself is not touched. Data that is not laid out as expected comes back as it is.
 * @param {Buffer} bytes
 */
export function stripJpeg(bytes) {
  const kept = [bytes.subarray(0, 2)]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === endOfImage) return Buffer.concat([...kept, bytes.subarray(at, at + 2)])
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const next = marker === startOfScan ? endOfScan(bytes, end) : end
    if (!isMetadata(marker)) kept.push(bytes.subarray(at, next))
    at = next
  }
  return at + 2 <= bytes.length && bytes[at + 1] === endOfImage
    ? Buffer.concat([...kept, bytes.subarray(at, at + 2)])
    : bytes
}

// APP14 says how the colours are meant, so it stays; APP0 is the JFIF header.
/** @param {number} marker */
function isMetadata(marker) {
  return (marker >= 0xe1 && marker <= 0xef && marker !== 0xee) || marker === 0xfe
}

/** @param {Buffer} bytes @param {number} from */
function endOfScan(bytes, from) {
  let at = bytes.indexOf(0xff, from)
  // Inside a scan 0xff is followed by a zero or a restart marker.
  while (at !== -1 && at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
    at = bytes.indexOf(0xff, at + 1)
  }
  return bytes.length
}
