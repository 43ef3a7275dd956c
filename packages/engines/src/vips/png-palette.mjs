// @ts-check
import { deflateSync } from 'node:zlib'
import { pngMark, toBytes } from './png-chunks.mjs'

/**
 * A PNG with a palette of exactly the colours an image has. Encoders that choose colours may miss one by a step.
 * @param {{ data: Buffer, width: number, height: number }} image four bytes a pixel, at most 256 colours
 */
export function palettePng({ data, width, height }) {
  const colours = paletteOf(data)
  const depth = colours.length <= 2 ? 1 : colours.length <= 4 ? 2 : colours.length <= 16 ? 4 : 8
  const numbers = new Map(colours.map((colour, n) => [colour, n]))
  const rowBytes = Math.ceil((width * depth) / 8)
  const rows = Buffer.alloc(height * (rowBytes + 1))
  for (let y = 0, at = 0; y < height; y++) {
    const start = y * (rowBytes + 1) + 1
    for (let x = 0; x < width; x++, at += 4) {
      const place = start + ((x * depth) >> 3)
      const shift = 8 - depth - ((x * depth) & 7)
      rows[place] = (rows[place] ?? 0) | ((numbers.get(data.readUInt32BE(at)) ?? 0) << shift)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = depth
  header[9] = 3
  const alpha = Buffer.from(colours.map((colour) => colour & 255))
  const isOpaque = alpha.every((value) => value === 255)
  return Buffer.concat([
    pngMark,
    toBytes({ type: 'IHDR', data: header }),
    toBytes({
      type: 'PLTE',
      data: Buffer.from(colours.flatMap((colour) => [colour >>> 24, (colour >>> 16) & 255, (colour >>> 8) & 255])),
    }),
    ...(isOpaque
      ? []
      : [toBytes({ type: 'tRNS', data: alpha.subarray(0, alpha.findLastIndex((value) => value !== 255) + 1) })]),
    toBytes({ type: 'IDAT', data: deflateSync(rows, { level: 9, memLevel: 9 }) }),
    toBytes({ type: 'IEND', data: Buffer.alloc(0) }),
  ])
}

// Transparent colours come first: the list of opacities ends with the last of them.
/** @param {Buffer} data */
function paletteOf(data) {
  /** @type {Set<number>} */
  const seen = new Set()
  let last = -1
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUInt32BE(at)
    if (colour !== last) seen.add(colour)
    last = colour
  }
  return [...seen].sort((a, b) => (a & 255) - (b & 255) || a - b)
}
