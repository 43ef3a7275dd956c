// @ts-check
import { readFile } from 'node:fs/promises'
import { stripJpeg } from './jpeg-segments.mjs'
import { blameInput } from './source.mjs'

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('pdf-lib').PDFDocument} PDFDocument
 * @typedef {[number, number, number, number, number, number]} Matrix
 * `shown` puts what is drawn into the unit square, the right way up.
 * @typedef {{ ref: import('pdf-lib').PDFRef, width: number, height: number, density: number, shown: Matrix }} PdfImage
 * @typedef {{ source: Source, page: number, call: import('./runner.mjs').Call }} Part
 */

/** @type {Matrix} */
const asItIs = [1, 0, 0, 1, 0, 0]

/**
 * The unit square a picture is drawn in, turned as each EXIF orientation says it must be shown.
 * @type {Record<number, Matrix>}
 */
const orientations = {
  1: asItIs,
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
}

/**
 * Puts a picture into a document. JPEG data goes in untouched where a reader would show it right;
 * other lossy pictures are encoded once more at high quality; everything else stays exact.
 * @param {PDFDocument} document
 * @param {Part} part
 * @returns {Promise<PdfImage>}
 */
export async function toPdfImage(document, { source, page, call }) {
  const { meta } = source
  const density = meta.density !== undefined && meta.density >= 10 ? meta.density : 72
  const { width, height } = page === 0 ? source : (await source.open({ page }).metadata()).autoOrient
  const size = { width, height, density }
  if (source.format === 'jpg' && isShownRight(meta) && (await isWhole(source))) {
    const ref = await embedUntouched(document, source, call.params.strip !== false)
    return { ...size, ref, shown: orientations[meta.orientation ?? 1] ?? asItIs }
  }
  const isLossy = ['jpg', 'webp', 'avif'].includes(source.format) && !meta.hasAlpha
  const ref = isLossy ? await embedAsJpeg(document, source) : await embedExact(document, { source, page })
  return { ...size, ref, shown: asItIs }
}

// PDF readers ignore a profile inside JPEG data and take it for sRGB; CMYK comes in two opposite kinds.
/** @param {import('sharp').Metadata} meta */
function isShownRight({ space, icc, channels }) {
  const isCommon = (space === 'srgb' && channels === 3) || (space === 'b-w' && channels === 1)
  return (
    isCommon && (icc === undefined || icc.subarray(0, 4096).toString('latin1').replaceAll('\0', '').includes('sRGB'))
  )
}

// Decoded at an eighth of its size, only to learn whether a reader of the PDF would get to its end.
/** @param {Source} source */
async function isWhole(source) {
  await blameInput(source, {}, () => source.open().resize(32).raw().toBuffer())
  return !source.isDamaged()
}

/** @param {PDFDocument} document @param {Source} source @param {boolean} strip */
async function embedUntouched(document, source, strip) {
  const bytes = await readFile(source.path)
  return embedJpeg(document, strip ? stripJpeg(bytes) : bytes)
}

/** @param {PDFDocument} document @param {Source} source */
async function embedAsJpeg(document, source) {
  const options = { quality: 90, chromaSubsampling: '4:4:4' }
  const bytes = await blameInput(source, {}, () => source.open().toColourspace('srgb').jpeg(options).toBuffer())
  return embedJpeg(document, bytes)
}

/** @param {PDFDocument} document @param {Buffer} bytes */
async function embedJpeg(document, bytes) {
  // pdf-lib reads from the start of the memory under a view, so the view must be all of it.
  return (await document.embedJpg(new Uint8Array(bytes))).ref
}

/**
 * PNG and PDF pack pixels the same way, so what libvips wrote is taken over without unpacking.
 * @param {PDFDocument} document
 * @param {{ source: Source, page: number }} part
 */
async function embedExact(document, { source, page }) {
  const more = source.pages > 1 ? { page } : {}
  const colour = await blameInput(source, more, () =>
    source.open(more).removeAlpha().toColourspace('srgb').png().toBuffer(),
  )
  if (!source.meta.hasAlpha) return embedPng(document, colour)
  const alpha = await source
    .open(more)
    .toColourspace('srgb')
    .extractChannel('alpha')
    .toColourspace('b-w')
    .png()
    .toBuffer()
  return embedPng(document, colour, embedPng(document, alpha))
}

/** @param {PDFDocument} document @param {Buffer} png @param {import('pdf-lib').PDFRef} [mask] */
function embedPng({ context }, png, mask) {
  const { width, height, depth, colours, data } = readPng(png)
  const stream = context.stream(data, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: colours === 1 ? 'DeviceGray' : 'DeviceRGB',
    BitsPerComponent: depth,
    Filter: 'FlateDecode',
    DecodeParms: { Predictor: 15, Colors: colours, BitsPerComponent: depth, Columns: width },
    ...(mask && { SMask: mask }),
  })
  return context.register(stream)
}

/** @param {Buffer} png */
function readPng(png) {
  /** @type {Buffer[]} */
  const parts = []
  for (let at = 8; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const colours = png[25] === 0 ? 1 : 3
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  return { width, height, depth: png[24] ?? 8, colours, data: Buffer.concat(parts) }
}
