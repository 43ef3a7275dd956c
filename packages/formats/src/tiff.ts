import { hasText } from './bytes.ts'
import type { Detected } from './detect.ts'

const tags = {
  subfileType: 0x00fe,
  photometric: 0x0106,
  make: 0x010f,
  subIfds: 0x014a,
  dngVersion: 0xc612,
} as const

/** The photometric interpretation of raw sensor pixels, each of one color only. */
const sensorPixels = 32_803

/** The maximum number of directory entries that are read: cameras write about 60. */
const maxEntries = 256

/**
 * TIFF, and camera raw files that use its structure. A raw file begins with a small preview and stores the sensor data
 * in a subdirectory; a plain TIFF begins with its image.
 */
export function detectTiff(head: Uint8Array): Detected | undefined {
  const isBig = hasText(head, 0, 'II+\0') || hasText(head, 0, 'MM\0+')
  const isLittle = hasText(head, 0, 'II')
  if (!isBig && !hasText(head, 0, 'II*\0') && !hasText(head, 0, 'MM\0*')) return undefined
  if (hasText(head, 8, 'CR')) return { ext: 'raw', conclusive: true }
  const first = isBig ? readBigDirectory(head, isLittle) : readDirectory(head, isLittle)
  const isPreview = first.get(tags.subfileType) === 1
  const isCamera = first.has(tags.make) && first.has(tags.subIfds)
  const isRaw = first.has(tags.dngVersion) || first.get(tags.photometric) === sensorPixels || (isPreview && isCamera)
  if (isRaw) return { ext: 'raw', conclusive: true }
  // A camera's TIFF with subdirectories may be either, so the file name decides.
  return { ext: 'tiff', conclusive: !isCamera }
}

/** The tags of the first directory with their values, if those fit into the entry itself. */
function readDirectory(head: Uint8Array, isLittle: boolean): ReadonlyMap<number, number> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const found = new Map<number, number>()
  if (head.length < 10) return found
  const start = view.getUint32(4, isLittle)
  if (start + 2 > head.length) return found
  const count = Math.min(view.getUint16(start, isLittle), maxEntries)
  for (let n = 0; n < count; n++) {
    const at = start + 2 + n * 12
    if (at + 12 > head.length) break
    const isShort = view.getUint16(at + 2, isLittle) === 3
    found.set(
      view.getUint16(at, isLittle),
      isShort ? view.getUint16(at + 8, isLittle) : view.getUint32(at + 8, isLittle),
    )
  }
  return found
}

/** The same for files above 4 GiB, whose offsets and counts have eight bytes. */
function readBigDirectory(head: Uint8Array, isLittle: boolean): ReadonlyMap<number, number> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const found = new Map<number, number>()
  const start = head.length < 16 ? Number.POSITIVE_INFINITY : Number(view.getBigUint64(8, isLittle))
  if (start + 8 > head.length) return found
  const count = Math.min(Number(view.getBigUint64(start, isLittle)), maxEntries)
  for (let n = 0; n < count; n++) {
    const at = start + 8 + n * 20
    if (at + 20 > head.length) break
    const isShort = view.getUint16(at + 2, isLittle) === 3
    const value = isShort ? view.getUint16(at + 12, isLittle) : Number(view.getBigUint64(at + 12, isLittle))
    found.set(view.getUint16(at, isLittle), value)
  }
  return found
}
