// @ts-check

/**
 * @typedef {{ data: Buffer, width: number, height: number, channels: number }} Pixels
 */

const side = 8
const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]
// Steps of brightness that nobody sees: a loss of grain within them is none.
const unseen = 4 ** 2
// Variance of a block without anything in it.
const flat = 4

/**
 * How alike two images of one size look, from 0 to 1: the structural similarity (SSIM) of their brightness over blocks
 * of 8 by 8 pixels, and no more than that of their transparency. Empty blocks that stayed empty do not count: a page
 * with little on it would hide the loss of that little.
 * @param {Pixels} one
 * @param {Pixels} other
 */
export function similarity(one, other) {
  if (one.width !== other.width || one.height !== other.height) return 0
  const brightness = planeSimilarity(one, toBrightness(one), toBrightness(other))
  const [alpha, otherAlpha] = [toAlpha(one), toAlpha(other)]
  return alpha && otherAlpha ? Math.min(brightness, planeSimilarity(one, alpha, otherAlpha)) : brightness
}

/**
 * The mean difference of colours, in steps of 0 to 255: brightness alone would not notice a tint.
 * @param {Pixels} one
 * @param {Pixels} other
 */
export function colourShift(one, other) {
  if (one.channels !== other.channels || one.data.length !== other.data.length) return 255
  const { channels, data, width, height } = one
  const colours = channels <= 2 ? 1 : 3
  const sums = new Float64Array(colours)
  for (let at = 0; at < data.length; at += channels) {
    const weight = channels === colours ? 1 : (data[at + colours] ?? 0) / 255
    for (let n = 0; n < colours; n++) {
      sums[n] = (sums[n] ?? 0) + weight * ((data[at + n] ?? 0) - (other.data[at + n] ?? 0))
    }
  }
  return Math.max(...sums.map(Math.abs)) / (width * height)
}

/** @param {Pixels} size @param {Uint8Array} one @param {Uint8Array} other */
function planeSimilarity({ width, height }, one, other) {
  let sum = 0
  let count = 0
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side) {
      const [right, bottom] = [Math.min(x + side, width), Math.min(y + side, height)]
      const value = blockSimilarity({ one, other, width, x, y, right, bottom })
      if (value === undefined) continue
      sum += value
      count++
    }
  }
  return count === 0 ? 1 : sum / count
}

/**
 * @param {{ one: Uint8Array, other: Uint8Array, width: number, x: number, y: number, right: number, bottom: number }} block
 */
function blockSimilarity({ one, other, width, x, y, right, bottom }) {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0]
  for (let row = y; row < bottom; row++) {
    for (let at = row * width + x, end = row * width + right; at < end; at++) {
      const p = /** @type {number} */ (one[at])
      const q = /** @type {number} */ (other[at])
      a += p
      b += q
      aa += p * p
      bb += q * q
      ab += p * q
    }
  }
  const n = (right - x) * (bottom - y)
  const [meanA, meanB] = [a / n, b / n]
  const [varA, varB, both] = [aa / n - meanA * meanA, bb / n - meanB * meanB, ab / n - meanA * meanB]
  if ((aa + bb - 2 * ab) / n <= unseen) return varA < flat && varB < flat ? undefined : 1
  const light = (2 * meanA * meanB + c1) / (meanA * meanA + meanB * meanB + c1)
  return (light * (2 * both + c2)) / (varA + varB + c2)
}

// What is transparent is not seen, so its colour counts only as far as it is opaque.
/** @param {Pixels} pixels */
function toBrightness({ data, width, height, channels }) {
  const plane = new Uint8Array(width * height)
  const hasColour = channels >= 3
  const alphaAt = channels === 2 ? 1 : channels === 4 ? 3 : -1
  for (let n = 0, at = 0; n < plane.length; n++, at += channels) {
    const red = /** @type {number} */ (data[at])
    const grey = hasColour ? 0.299 * red + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0) : red
    plane[n] = alphaAt === -1 ? grey : (grey * (data[at + alphaAt] ?? 0)) / 255
  }
  return plane
}

/** @param {Pixels} pixels */
function toAlpha({ data, width, height, channels }) {
  if (channels !== 2 && channels !== 4) return undefined
  const plane = new Uint8Array(width * height)
  for (let n = 0, at = channels - 1; n < plane.length; n++, at += channels) plane[n] = data[at] ?? 0
  return plane
}
