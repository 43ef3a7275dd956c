// @ts-check
import { copyFile, stat } from 'node:fs/promises'
import { checkSide, encode } from './encode.mjs'
import { beyond, Refusal } from './refusal.mjs'
import { allPages, blameInput, openSource } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('sharp').Sharp} Sharp
 * @typedef {{ width: number, height: number }} Size
 */

/** @param {Call} call */
export async function convert(call) {
  const source = await openFirst(call)
  fitMaxSide(call, source)
  const size = targetSize(source, call)
  await write(call, source, { size, shape: (image) => turnAndResize(image, call, source) })
}

/** @param {Call} call */
export async function compress(call) {
  const source = await openFirst(call)
  await write(call, source, { size: source, shape: (image) => image })
  const [before, after] = await Promise.all([stat(source.path), stat(call.output.path)])
  if (after.size < before.size) return
  await copyFile(source.path, call.output.path)
  call.warnings.push('The result was not smaller, so the original is returned.')
}

/** @param {Call} call */
export async function crop(call) {
  const source = await openFirst(call)
  const box = cropBox(source, call)
  await write(call, source, { size: box, shape: (image) => image.extract(box) })
}

/** @param {Call} call */
async function openFirst(call) {
  const [input] = call.inputs
  if (input === undefined) throw new Refusal('engine_crashed', undefined, 'no input')
  const source = await openSource(input, call)
  call.progress(0.1)
  return source
}

/**
 * @param {Call} call
 * @param {Source} source
 * @param {{ size: Size, shape: (image: Sharp) => Sharp }} how
 */
async function write(call, source, { size, shape }) {
  const { op, output, params, warnings } = call
  checkSide(output.format, size)
  const isMany = source.pages > 1
  const more = isMany && keepsPages(source.format, output.format) ? await allPages(source, call) : {}
  if (isMany && !('pages' in more)) {
    warnings.push(`Only the first of the ${source.pages} frames or pages was kept.`)
  }
  const area = size.width * size.height
  await blameInput(source, more, () => {
    const image = encode(shape(source.open(more)), { format: output.format, op, params, area })
    if (needsBackground(source, call)) image.flatten({ background: params.background ?? 'white' })
    if (params.strip === false) image.keepMetadata()
    return image.toFile(output.path)
  })
}

/** @param {Source} source @param {Call} call */
function needsBackground({ meta }, { output, params }) {
  const isOpaque = output.format === 'jpg' || (output.format === 'tiff' && params.compression === 'jpeg')
  if (params.flatten) return meta.hasAlpha
  return meta.hasAlpha && isOpaque
}

/** @param {string} from @param {string} to */
function keepsPages(from, to) {
  const animated = ['gif', 'webp']
  return (animated.includes(from) && animated.includes(to)) || (from === 'tiff' && to === 'tiff')
}

/** @param {Sharp} image @param {Call} call @param {Source} source */
function turnAndResize(image, { params, output }, { pages, format }) {
  const { rotate = '0', width, height, fit } = params
  const isQuarter = rotate === '90' || rotate === '270'
  if (isQuarter && pages > 1 && keepsPages(format, output.format)) {
    throw new Refusal('unsupported', 'Animations and files of several pages can be rotated by 180 degrees only.')
  }
  if (rotate !== '0') image.rotate(Number(rotate))
  if (width !== undefined || height !== undefined) image.resize({ width, height, fit })
  return image
}

/**
 * Makes a picture that a format cannot hold as large as it can.
 * @param {Call} call
 * @param {Source} source
 */
function fitMaxSide({ params, warnings }, source) {
  const { max_side: side } = params
  const size = resized(source, params)
  if (side === undefined || Math.max(size.width, size.height) <= side) return
  Object.assign(params, { width: side, height: side, fit: 'inside' })
  warnings.push(`The picture was made smaller: this format holds at most ${side} pixels a side.`)
}

/**
 * The size a conversion will have. Known before decoding, so that a tall line asked to be wide is refused.
 * @param {Source} source
 * @param {Call} call
 * @returns {Size}
 */
function targetSize(source, { params, limits }) {
  const isQuarter = params.rotate === '90' || params.rotate === '270'
  const from = isQuarter ? { width: source.height, height: source.width } : source
  const size = resized(from, params)
  const area = size.width * size.height
  if (area > limits.pixels) throw beyond('pixels of the result', area, limits.pixels)
  return size
}

/** @param {Size} from @param {Call['params']} params @returns {Size} */
function resized(from, { width, height, fit }) {
  if (width === undefined && height === undefined) return from
  const across = width === undefined ? undefined : width / from.width
  const down = height === undefined ? undefined : height / from.height
  if (across !== undefined && down !== undefined && (fit === 'cover' || fit === 'fill')) return { width, height }
  const scales = [across, down].filter((scale) => scale !== undefined)
  const scale = fit === 'outside' ? Math.max(...scales) : Math.min(...scales)
  return { width: Math.max(1, from.width * scale), height: Math.max(1, from.height * scale) }
}

/** @param {Source} source @param {Call} call */
function cropBox({ width, height }, { params, warnings }) {
  const { x: left = 0, y: top = 0 } = params
  if (left >= width || top >= height) {
    const text = `The area to keep lies outside the picture, which is ${width} x ${height} pixels.`
    throw new Refusal('unsupported', text)
  }
  const [right, bottom] = [left + (params.width ?? width), top + (params.height ?? height)]
  const isCut = (params.width && right > width) || (params.height && bottom > height)
  if (isCut) warnings.push(`The area to keep reached beyond the picture of ${width} x ${height} pixels and was cut.`)
  return { left, top, width: Math.min(right, width) - left, height: Math.min(bottom, height) - top }
}
