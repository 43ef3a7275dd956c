// @ts-check
import { readFile, writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const mark = Buffer.from('Exif\0\0', 'latin1')
const orientation = 0x0112
/** A segment of a JPEG holds no more. */
const mostBytes = 65_000

/**
 * Puts EXIF that another program took out of the input into a finished JPEG or PNG: libvips cannot be given any.
 * Absent, broken or oversized EXIF is left out.
 * @param {{ path: string, format: string }} output
 * @param {string} exifPath
 */
export async function insertExif({ path, format }, exifPath) {
  const exif = await readFile(exifPath).catch(() => Buffer.alloc(0))
  if (!exif.subarray(0, 6).equals(mark) || exif.length > mostBytes) return
  const upright = turnedUpright(exif)
  const picture = await readFile(path)
  if (format === 'jpg') await writeFile(path, intoJpeg(picture, upright))
  if (format === 'png') await writeFile(path, intoPng(picture, upright.subarray(6)))
}

/** @param {Buffer} picture @param {Buffer} exif */
function intoJpeg(picture, exif) {
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(exif.length + 2, 2)
  return Buffer.concat([picture.subarray(0, 2), head, exif, picture.subarray(2)])
}

// The header's chunk ends at byte 33.
/** @param {Buffer} picture @param {Buffer} tiff */
function intoPng(picture, tiff) {
  const body = Buffer.concat([Buffer.from('eXIf'), tiff])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(tiff.length, 0)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([
    picture.subarray(0, 33),
    numbers.subarray(0, 4),
    body,
    numbers.subarray(4),
    picture.subarray(33),
  ])
}

// The picture has been turned as its EXIF said, so that must not be said again.
/** @param {Buffer} exif */
function turnedUpright(exif) {
  const copy = Buffer.from(exif)
  const tiff = copy.subarray(6)
  const isLittle = tiff.subarray(0, 2).toString('latin1') === 'II'
  const word = (/** @type {number} */ at) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = tiff.length < 8 ? 0 : isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first < 8 || first + 2 > tiff.length) return copy
  for (let at = first + 2, left = word(first); left > 0 && at + 12 <= tiff.length; at += 12, left--) {
    if (word(at) !== orientation) continue
    if (isLittle) tiff.writeUInt16LE(1, at + 8)
    else tiff.writeUInt16BE(1, at + 8)
  }
  return copy
}
