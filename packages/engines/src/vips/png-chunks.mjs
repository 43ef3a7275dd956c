// @ts-check
import { crc32 } from 'node:zlib'

/**
 * @typedef {{ type: string, data: Buffer }} Chunk
 * @typedef {{ depth: number, isGrey: boolean, hasProfile: boolean }} PngKind
 */

export const pngMark = Buffer.from('89504e470d0a1a0a', 'hex')
const colourChunks = ['iCCP', 'sRGB', 'gAMA', 'cHRM']
const pixelChunks = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

/**
 * What a PNG is, or nothing if it is an animation or laid out as it should not be.
 * @param {Buffer} png
 * @returns {PngKind | undefined}
 */
export function pngKindOf(png) {
  const chunks = chunksOf(png)
  const header = chunks[0]
  if (header?.type !== 'IHDR' || header.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') return undefined
  if (chunks.some(({ type }) => type === 'acTL')) return undefined
  const colourType = header.data[9] ?? 0
  const hasProfile = chunks.some(({ type }) => type === 'iCCP')
  return { depth: header.data[8] ?? 0, isGrey: colourType === 0 || colourType === 4, hasProfile }
}

/**
 * The pixels of one PNG with the meaning of colours and the resolution of another, whose pixels they were made of.
 * @param {Buffer} encoded
 * @param {Buffer} original
 * @param {number} scale by which the image was made smaller
 */
export function likePng(encoded, original, scale) {
  const [header, ...rest] = chunksOf(encoded).filter(({ type }) => pixelChunks.includes(type))
  const kept = chunksOf(original).flatMap((chunk) => {
    if (colourChunks.includes(chunk.type)) return [chunk]
    return chunk.type === 'pHYs' && chunk.data.length === 9 ? [scaled(chunk, scale)] : []
  })
  const all = header ? [header, ...kept, ...rest] : rest
  return Buffer.concat([pngMark, ...all.map(toBytes)])
}

/** @param {Chunk} chunk @param {number} scale @returns {Chunk} */
function scaled({ type, data }, scale) {
  const copy = Buffer.from(data)
  for (const at of [0, 4]) copy.writeUInt32BE(Math.max(1, Math.round(data.readUInt32BE(at) * scale)), at)
  return { type, data: copy }
}

/** @param {Buffer} png @returns {Chunk[]} */
function chunksOf(png) {
  /** @type {Chunk[]} */
  const chunks = []
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (end + 4 > png.length) break
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, end) })
    if (type === 'IEND') break
    at = end + 4
  }
  return chunks
}

/** A chunk as it is in a file. @param {Chunk} chunk */
export function toBytes({ type, data }) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}
