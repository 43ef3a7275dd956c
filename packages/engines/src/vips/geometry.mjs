// @ts-check
import { beyond, Refusal } from './refusal.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {{ width: number, height: number }} Size
 */

/**
 * Makes a picture that a format cannot hold as large as it can.
 * @param {Call} call
 * @param {Source} source
 */
export function fitMaxSide({ params, warnings }, source) {
  const { max_side: side } = params
  const size = resized(source, params)
  if (side === undefined || Math.max(size.width, size.height) <= side) return
  Object.assign(params, { width: side, height: side, fit: 'inside' })
  warnings.push(`The image was scaled down: this format allows at most ${side} pixels per side.`)
}

/**
 * The size a conversion will have. Known before decoding, so that a tall line asked to be wide is refused.
 * @param {Source} source
 * @param {Call} call
 * @returns {Size}
 */
export function targetSize(source, { params, limits }) {
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
export function cropBox({ width, height }, { params, warnings }) {
  const { x: left = 0, y: top = 0 } = params
  if (left >= width || top >= height) {
    const text = `The area to keep is outside the image, which is ${width} x ${height} pixels.`
    throw new Refusal('unsupported', text)
  }
  const [right, bottom] = [left + (params.width ?? width), top + (params.height ?? height)]
  const isCut = (params.width && right > width) || (params.height && bottom > height)
  if (isCut) warnings.push(`The area to keep extended beyond the image of ${width} x ${height} pixels and was cut.`)
  return { left, top, width: Math.min(right, width) - left, height: Math.min(bottom, height) - top }
}
