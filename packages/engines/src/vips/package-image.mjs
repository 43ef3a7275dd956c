// @ts-check
import sharp from 'sharp'
import { likeJpeg } from './like-jpeg.mjs'
import { likePng, pngKindOf, pngMark } from './png-chunks.mjs'
import { palettePng } from './png-palette.mjs'
import { colourShift, similarity } from './similarity.mjs'

/**
 * @typedef {import('./open-xml-uses.mjs').Extent} Extent
 * @typedef {import('./similarity.mjs').Pixels} Pixels
 * @typedef {{ dpi?: number, quality?: number, losesColours?: boolean, similarity: number }} Reduction
 * @typedef {{ sourcePixels: number, pixels: number }} ImageLimits
 */

// An image a little finer than asked for would only get worse by being scaled.
const tolerance = 1.25
// A loss that saves less than this is not worth it.
const worthwhile = 0.9
const mostColourShift = 4
const bestQuality = 92
const qualityStep = 9

/**
 * A smaller image of the same format that looks the same where it is shown, or nothing.
 * @param {Buffer} original
 * @param {Extent | undefined} shown how large it is shown at most, in inches
 * @param {Reduction} how
 * @param {ImageLimits} limits
 */
export async function reduceImage(original, shown, how, limits) {
  if (original.subarray(0, 8).equals(pngMark)) return reducePng(original, shown, how, limits)
  if (original[0] === 0xff && original[1] === 0xd8 && original[2] === 0xff)
    return reduceJpeg(original, shown, how, limits)
  return undefined
}

/** @param {Buffer} original @param {Extent | undefined} shown @param {Reduction} how @param {ImageLimits} limits */
async function reduceJpeg(original, shown, how, limits) {
  if (how.quality === undefined) return undefined
  const meta = await headerOf(original, limits)
  if (meta?.format !== 'jpeg' || (meta.space !== 'srgb' && meta.space !== 'b-w')) return undefined
  // EXIF turns what is shown by a quarter: the larger side of the frame may then hold the smaller one of the file.
  const size = fitted(meta, isTurned(meta) && shown ? turned(shown) : shown, how.dpi)
  if (size.width * size.height > limits.pixels) return undefined
  const reference = await pixelsOf(original, { ...size, isGrey: meta.space === 'b-w' })
  const { orientation = 1 } = meta
  const chromaSubsampling = meta.chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0'
  for (let quality = how.quality; ; quality = Math.min(bestQuality, quality + qualityStep)) {
    const encoded = await fromPixels(reference).jpeg({ quality, mozjpeg: true, chromaSubsampling }).toBuffer()
    const result = likeJpeg(encoded, original, {
      scale: size.scale,
      orientation,
      exifDensity: meta.exif && meta.density,
    })
    if (result.length > worthwhile * original.length) return undefined
    if (await isAlike(reference, result, how)) return result
    if (quality >= bestQuality) return undefined
  }
}

/** @param {Buffer} original @param {Extent | undefined} shown @param {Reduction} how @param {ImageLimits} limits */
async function reducePng(original, shown, how, limits) {
  const kind = pngKindOf(original)
  if (kind === undefined || kind.depth > 8) return undefined
  const meta = await headerOf(original, limits)
  if (meta?.format !== 'png') return undefined
  const size = fitted(meta, shown, how.dpi)
  if (size.width * size.height > limits.pixels) return undefined
  const { isGrey } = kind
  // A grey profile does not fit a palette, which is always in colour.
  const mayHavePalette = !(isGrey && kind.hasProfile)
  const smaller = await smallestPng(original, { ...size, isGrey, mayHavePalette }, how)
  if (smaller !== undefined || size.scale === 1) return smaller
  // Scaling adds colours to a drawing, and with them sometimes bytes.
  if (meta.width * meta.height > limits.pixels) return undefined
  return smallestPng(original, { width: meta.width, height: meta.height, scale: 1, isGrey, mayHavePalette }, how)
}

/**
 * @param {Buffer} original
 * @param {{ width: number, height: number, scale: number, isGrey: boolean, mayHavePalette: boolean }} size
 * @param {Reduction} how
 */
async function smallestPng(original, size, how) {
  const reference = await pixelsOf(original, size)
  const colours = size.mayHavePalette ? countColours(reference) : Number.POSITIVE_INFINITY
  const exact = [{ adaptiveFiltering: true }, { adaptiveFiltering: false }]
  const encoded =
    colours <= 256
      ? [palettePng({ ...reference, data: asColour(reference) })]
      : await Promise.all(exact.map((settings) => encodePng(reference, settings)))
  /** @type {Buffer | undefined} */
  let best
  for (const one of encoded) {
    const result = likePng(one, original, size.scale)
    if (result.length < (best ?? original).length && (await isSame(reference, result))) best = result
  }
  if (how.losesColours && size.mayHavePalette && colours > 256) {
    const quantised = await encodePng(reference, { palette: true, colours: 256, quality: 100, effort: 7, dither: 1 })
    const result = likePng(quantised, original, size.scale)
    const isWorthIt = result.length < worthwhile * (best ?? original).length
    if (isWorthIt && (await isAlike(reference, result, how))) best = result
  }
  return best
}

/** @param {Pixels} pixels @param {import('sharp').PngOptions} settings */
function encodePng(pixels, settings) {
  return fromPixels(pixels)
    .png({ compressionLevel: 9, ...settings })
    .toBuffer()
}

/** @param {Buffer} bytes @param {ImageLimits} limits */
async function headerOf(bytes, limits) {
  const meta = await sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
  const isFitting = meta.depth === 'uchar' && meta.width * meta.height <= limits.sourcePixels
  return isFitting && (meta.pages ?? 1) === 1 ? meta : undefined
}

/**
 * The size at which an image has the resolution asked for.
 * @param {{ width: number, height: number }} image
 * @param {Extent | undefined} shown
 * @param {number | undefined} dpi
 */
function fitted({ width, height }, shown, dpi) {
  const needed = shown && dpi ? Math.max((shown.width * dpi) / width, (shown.height * dpi) / height) : 1
  if (needed * tolerance > 1) return { width, height, scale: 1 }
  const [smallWidth, smallHeight] = [width, height].map((side) => Math.max(1, Math.ceil(side * needed)))
  return { width: smallWidth ?? width, height: smallHeight ?? height, scale: needed }
}

/** @param {import('sharp').Metadata} meta */
function isTurned({ orientation = 1 }) {
  return orientation >= 5
}

// Not every reader obeys EXIF, so both ways of showing the image have to be fine enough.
/** @param {Extent} shown */
function turned({ width, height }) {
  const side = Math.max(width, height)
  return { width: side, height: side }
}

// The numbers of the file, whatever its profile makes of them: the profile is kept as it is.
/** @param {Buffer} bytes @param {{ width: number, height: number, isGrey: boolean }} [size] @returns {Promise<Pixels>} */
async function pixelsOf(bytes, size) {
  const image = sharp(bytes, { failOn: 'error', ignoreIcc: true, limitInputPixels: false })
  if (size) image.resize({ width: size.width, height: size.height, fit: 'fill' })
  if (size?.isGrey) image.toColourspace('b-w')
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** @param {Pixels} pixels */
function fromPixels({ data, width, height, channels }) {
  const raw = { width, height, channels: /** @type {1 | 2 | 3 | 4} */ (channels) }
  const image = sharp(data, { raw, limitInputPixels: false })
  return channels <= 2 ? image.toColourspace('b-w') : image
}

/** @param {Pixels} reference @param {Buffer} bytes */
async function isSame(reference, bytes) {
  const { data, channels } = await pixelsOf(bytes)
  if (channels === reference.channels) return reference.data.equals(data)
  return asColour(reference).equals(asColour({ ...reference, data, channels }))
}

/** @param {Pixels} reference @param {Buffer} bytes @param {Reduction} how */
async function isAlike(reference, bytes, how) {
  const result = await pixelsOf(bytes)
  const [one, other] = [withAlpha(reference), withAlpha(result)]
  return similarity(one, other) >= how.similarity && colourShift(one, other) <= mostColourShift
}

/** @param {Pixels} pixels @returns {Pixels} */
function withAlpha(pixels) {
  return { ...pixels, data: asColour(pixels), channels: 4 }
}

// All pixels as red, green, blue and opacity, so that a palette can be compared with what it stands for.
/** @param {Pixels} pixels */
function asColour({ data, width, height, channels }) {
  if (channels === 4) return data
  const all = Buffer.alloc(width * height * 4, 255)
  const isGrey = channels <= 2
  for (let from = 0, to = 0; to < all.length; from += channels, to += 4) {
    for (let n = 0; n < 3; n++) all[to + n] = data[from + (isGrey ? 0 : n)] ?? 0
    if (channels === 2) all[to + 3] = data[from + 1] ?? 0
  }
  return all
}

/** How many colours there are; counting stops beyond 256. @param {Pixels} pixels */
function countColours(pixels) {
  const data = asColour(pixels)
  const seen = new Set()
  let last = -1
  for (let at = 0; at < data.length && seen.size <= 256; at += 4) {
    const colour = data.readUInt32LE(at)
    if (colour !== last) seen.add(colour)
    last = colour
  }
  return seen.size
}
