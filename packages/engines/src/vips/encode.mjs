// @ts-check
import { beyond } from './refusal.mjs'

/**
 * @typedef {import('sharp').Sharp} Sharp
 * @typedef {import('./runner.mjs').Params} Params
 */

/** The longest side each format can hold. */
export const longestSide = {
  jpg: 65_535,
  png: 2_147_483_647,
  webp: 16_383,
  avif: 65_535,
  gif: 65_535,
  tiff: 2_147_483_647,
}

/**
 * Refuses a result that the format cannot hold, before it is made.
 * @param {string} format
 * @param {{ width: number, height: number }} size
 */
export function checkSide(format, { width, height }) {
  const limit = longestSide[/** @type {keyof typeof longestSide} */ (format)]
  const side = Math.max(width, height)
  if (side > limit) throw beyond(`pixels a side of a ${format} file`, side, limit)
}

/**
 * Sets the encoder of a pipeline. With default options these are the encoder's own settings; for a result that `isSmall`
 * those that take longer and make it smaller.
 * @param {Sharp} image
 * @param {{ format: string, isSmall: boolean, params: Params, area: number }} target
 */
export function encode(image, { format, isSmall, params, area }) {
  const { quality, lossless, effort, compression, delay } = params
  switch (format) {
    case 'jpg':
      return image.jpeg({ quality, progressive: params.progressive, ...(isSmall && { mozjpeg: true }) })
    case 'png':
      return image.png(isSmall ? smallPng(params) : plainPng(params))
    case 'webp':
      return image.webp({ quality, lossless, effort, ...(delay && { delay }) })
    case 'avif':
      return image.avif({ quality, lossless, effort: effort ?? avifEffort(area) })
    case 'gif':
      return image.gif({ colours: params.colours, ...(isSmall && { effort: 10 }), ...(delay && { delay }) })
    default:
      return image.tiff({ quality: quality ?? 80, compression })
  }
}

/** @param {Params} params */
function plainPng({ compression_level: compressionLevel, palette, colours }) {
  return { compressionLevel, ...(palette && { palette, colours }) }
}

/** @param {Params} params */
function smallPng({ lossless, quality }) {
  return { compressionLevel: 9, ...(lossless ? { adaptiveFiltering: true } : { palette: true, quality, effort: 10 }) }
}

// Measured on one core with noise: 4 MP took 69 s at effort 4 and 3 s at 2; 12 MP took 16 s at 2 and 6 s at 0.
/** @param {number} area */
function avifEffort(area) {
  if (area <= 500_000) return 4
  return area <= 16_000_000 ? 2 : 0
}
