// @ts-check
import sharp from 'sharp'
import { palettePng } from './png-palette.mjs'

/**
 * @typedef {import('./similarity.mjs').Pixels} Pixels
 * @typedef {Pixels & { grey?: Pixels }} Image an image, and without its colours where it has none
 * @typedef {{ format: string, from: number, to: number, start: (target: number) => number,
 *   encode: (image: Image, quality: number, isFinal: boolean) => Promise<Buffer> }} Lossy
 * @typedef {{ format: string, encode: (image: Image, isFinal: boolean) => Promise<Buffer> }} Lossless
 */

// Where a search begins: the qualities that reached 96, 98 and 99.5 with photographs.
/** @param {number} small @param {number} good @param {number} high */
const startAt = (small, good, high) => (/** @type {number} */ target) =>
  target < 97 ? small : target < 99 ? good : high

/** Encoders with a quality, quick ones first. @type {readonly Lossy[]} */
export const lossyEncoders = [
  {
    format: 'jpg',
    from: 10,
    to: 98,
    start: startAt(45, 70, 92),
    encode: (image, quality) =>
      // Above this, colours at half the resolution are what is lost.
      open(image)
        .jpeg({ quality, mozjpeg: true, chromaSubsampling: quality >= 92 ? '4:4:4' : '4:2:0' })
        .toBuffer(),
  },
  {
    format: 'webp',
    from: 5,
    to: 100,
    start: startAt(35, 72, 91),
    encode: (image, quality, isFinal) =>
      open(image)
        .webp({ quality, effort: isFinal ? webpEffort(image) : 4, smartSubsample: quality >= 92 })
        .toBuffer(),
  },
  {
    format: 'avif',
    from: 10,
    to: 95,
    start: startAt(40, 55, 78),
    encode: (image, quality, isFinal) =>
      open(image)
        .avif({ quality, effort: isFinal ? avifEffort(image) : 1 })
        .toBuffer(),
  },
]

/** Encoders that keep every pixel, PNG first: it is quick to tell that a photograph is nothing for them. @type {readonly Lossless[]} */
export const losslessEncoders = [
  { format: 'png', encode: exactPng },
  {
    format: 'webp',
    encode: (image, isFinal) =>
      open(image)
        .webp({ lossless: true, effort: isFinal ? webpEffort(image) - 1 : 2 })
        .toBuffer(),
  },
  {
    format: 'avif',
    encode: (image, isFinal) =>
      open(image)
        .avif({ lossless: true, effort: isFinal ? avifEffort(image) : 1 })
        .toBuffer(),
  },
]

/**
 * A PNG of fewer colours than the image has.
 * @param {Image} image
 * @param {number} colours
 * @param {boolean} isFinal
 */
export function reducedPng(image, colours, isFinal) {
  return open(image)
    .png({ palette: true, colours, quality: 100, dither: 1, effort: isFinal ? 7 : 1, compressionLevel: 9 })
    .toBuffer()
}

/** @param {Image} image */
async function exactPng(image) {
  const { data, width, height, channels } = image
  if (hasFewColours(image)) return palettePng({ data: channels === 4 ? data : withOpacity(image), width, height })
  // One after the other: both at once may take more memory than there is.
  const filtered = await open(image).png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer()
  const plain = await open(image).png({ compressionLevel: 9, adaptiveFiltering: false }).toBuffer()
  return plain.length < filtered.length ? plain : filtered
}

/** Whether a palette can hold all colours of an image. @param {Image} image */
function hasFewColours({ data, channels }) {
  /** @type {Set<number>} */
  const seen = new Set()
  let last = -1
  for (let at = 0; at < data.length; at += channels) {
    const colour = data.readUIntBE(at, 3) * 256 + (channels === 4 ? (data[at + 3] ?? 0) : 255)
    if (colour === last) continue
    last = colour
    seen.add(colour)
    if (seen.size > 256) return false
  }
  return true
}

/** @param {Pixels} pixels */
function withOpacity({ data, width, height }) {
  const more = Buffer.alloc(width * height * 4, 255)
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) data.copy(more, to, from, from + 3)
  return more
}

/** @param {Image} image */
function open({ grey, ...coloured }) {
  const { data, width, height, channels } = grey ?? coloured
  const raw = { width, height, channels: /** @type {import('sharp').Channels} */ (channels) }
  return sharp(data, { raw, limitInputPixels: false })
}

// With transparency, 32 MP take 7 s and 0.6 GiB at effort 4, and 60 s and 1.2 GiB at 6.
/** @param {Pixels} image */
function webpEffort({ width, height }) {
  return width * height <= 4_000_000 ? 6 : 4
}

// Measured on one core with photographs: 2 MP take 3 s at effort 3, and five times as long at 4.
/** @param {Pixels} image */
function avifEffort({ width, height }) {
  const area = width * height
  if (area <= 2_500_000) return 3
  return area <= 6_000_000 ? 2 : 1
}
