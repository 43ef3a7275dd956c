// @ts-check
import { open, readFile } from 'node:fs/promises'

/** Bytes of each type of value, by its number. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
/** Strips, tiles and old JPEG data: values that are places in the file. */
const places = [273, 324, 513]
/** Directories below: EXIF, GPS and others. */
const directories = [330, 34_665, 34_853]

/**
 * Makes one TIFF of several that libvips wrote, so that pages may differ in size: each file is appended whole, and
 * its places are moved by where it begins.
 * @param {readonly string[]} paths
 * @param {string} target
 */
export async function joinTiffs(paths, target) {
  const file = await open(target, 'w')
  try {
    let end = 0
    /** Where the next directory's place is to be written. */
    let link = 0
    for (const path of paths) {
      const bytes = await readFile(path)
      const base = end
      const first = bytes.readUInt32LE(4)
      const next = moveDirectory(bytes, first, base)
      await file.write(bytes, 0, bytes.length, base)
      if (base > 0) await file.write(placeOf(base + first), 0, 4, link)
      link = base + next
      // Directories begin at even places.
      end = base + bytes.length + (bytes.length % 2)
    }
  } finally {
    await file.close()
  }
}

/** @param {number} place */
function placeOf(place) {
  if (place > 0xff_ff_ff_ff) throw new Error('the pages together are beyond 4 GiB')
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(place)
  return bytes
}

/**
 * Moves all places of a directory and gives where it names the next one.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} by
 */
function moveDirectory(bytes, at, by) {
  const count = bytes.readUInt16LE(at)
  for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
    const [tag, type, values] = [
      bytes.readUInt16LE(entry),
      bytes.readUInt16LE(entry + 2),
      bytes.readUInt32LE(entry + 4),
    ]
    const length = (sizes[type] ?? 1) * values
    const from = length > 4 ? bytes.readUInt32LE(entry + 8) : entry + 8
    if (directories.includes(tag)) moveDirectory(bytes, bytes.readUInt32LE(from), by)
    if (places.includes(tag) || directories.includes(tag)) {
      for (let n = 0; n < values; n++) add(bytes, { at: from + 4 * n, by })
    }
    if (length > 4) add(bytes, { at: entry + 8, by })
  }
  return at + 2 + count * 12
}

/** @param {Buffer} bytes @param {{ at: number, by: number }} move */
function add(bytes, { at, by }) {
  placeOf(bytes.readUInt32LE(at) + by).copy(bytes, at)
}
