import { type Facts, type Given, refuse } from './facts.ts'

/**
 * Parses a Photoshop document and unpacks every row of its merged image. FFmpeg cannot be used: it treats the filler
 * byte 128, with which ImageMagick ends each row, as damage.
 */
export function openPsd({ format, bytes }: Given): Facts {
  if (bytes.toString('latin1', 0, 4) !== '8BPS') refuse(format, 'it does not begin as one')
  const [channels, height, width] = [bytes.readUInt16BE(12), bytes.readUInt32BE(14), bytes.readUInt32BE(18)]
  let at = 26
  // Palette, resources and layers, each after its length.
  for (let part = 0; part < 3; part++) at += 4 + bytes.readUInt32BE(at)
  const isPacked = bytes.readUInt16BE(at) === 1
  const rows = channels * height
  const body = at + 2
  const depth = bytes.readUInt16BE(22) / 8
  const isWhole = isPacked
    ? unpackRows(bytes, { at: body, rows, rowSize: width * depth })
    : bytes.length - body === rows * width * depth
  return isWhole ? { format, width, height, pages: 1 } : refuse(format, 'its rows do not have their length')
}

function unpackRows(bytes: Buffer, { at, rows, rowSize }: { at: number; rows: number; rowSize: number }): boolean {
  let start = at + rows * 2
  for (let row = 0; row < rows; row++) {
    const end = start + bytes.readUInt16BE(at + row * 2)
    if (end > bytes.length || unpackedSize(bytes.subarray(start, end)) !== rowSize) return false
    start = end
  }
  return start === bytes.length
}

/**
 * The unpacked size of a PackBits row: a byte n below 128 is followed by n + 1 bytes, one above 128 by a repeated byte.
 */
function unpackedSize(row: Buffer): number {
  let size = 0
  for (let at = 0; at < row.length; ) {
    const mark = row[at] ?? 0
    if (mark < 128) {
      size += mark + 1
      at += mark + 2
    } else {
      size += mark === 128 ? 0 : 257 - mark
      at += mark === 128 ? 1 : 2
    }
  }
  return size
}
