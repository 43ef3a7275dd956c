// @ts-check
/**
 * How alike two images of one size look, as a score from 0 to 100: the structural similarity (SSIM) of brightness and
 * colour at five sizes, each half of the one before. Colour counts from half the size on, where the eye still sees it.
 */

/**
 * @typedef {import('./similarity.mjs').Pixels} Pixels
 * @typedef {{ data: Float32Array, width: number, height: number }} Plane
 * @typedef {{ brightness: Plane[], blue: Plane[], red: Plane[] }} Scales
 * @typedef {{ sum: number, count: number }} Loss
 * @typedef {{ brightness: Loss[], blue: Loss[], red: Loss[] }} Losses
 */

const scales = 5
const brightnessWeights = [0.25, 0.3, 0.2, 0.15, 0.1]
const colourWeights = [0.4, 0.3, 0.2, 0.1]
const colourShare = 0.25
const cell = 4
const [brightnessFloor, colourFloor] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]
const contrastFloor = (0.03 * 255) ** 2
// Windows without anything in them that stayed so do not count: a page with little on it would hide the loss of that little.
const flat = 2
const backgrounds = [0, 255]
// Large images are compared in parts: their planes would not fit into memory.
const partPixels = 1_000_000
const partRows = 128

/**
 * Prepares an image that several others are compared with.
 * @param {Pixels} pixels three channels, or four with opacity
 * @returns {(other: Pixels) => number} the score of another image: 100 for one that cannot be told apart
 */
export function createComparison(pixels) {
  const { width, height, channels } = pixels
  // What shines through transparent parts is not known: the worse of black and white counts.
  const grounds = channels === 4 ? backgrounds : [0]
  const rows = Math.max(partRows, Math.floor(partPixels / width / partRows) * partRows)
  const kept = rows >= height ? grounds.map((ground) => toScales(pixels, ground)) : []
  return (other) => {
    if (other.width !== width || other.height !== height) return 0
    const scores = grounds.map((ground, n) => {
      const losses = createLosses()
      for (let top = 0; top < height; top += rows) {
        const own = kept[n] ?? toScales(rowsOf(pixels, top, rows), ground)
        addLosses(losses, own, toScales(rowsOf(other, top, rows), ground))
      }
      return scoreOf(losses)
    })
    return Math.min(...scores)
  }
}

/** @param {Pixels} pixels @param {number} top @param {number} rows @returns {Pixels} */
function rowsOf({ data, width, height, channels }, top, rows) {
  const bottom = Math.min(top + rows, height)
  const bytes = width * channels
  return { data: data.subarray(top * bytes, bottom * bytes), width, height: bottom - top, channels }
}

/** @returns {Losses} */
const createLosses = () => ({ brightness: none(), blue: none(), red: none() })
const none = () => Array.from({ length: scales }, () => ({ sum: 0, count: 0 }))

/** @param {Losses} losses @param {Scales} one @param {Scales} other */
function addLosses(losses, one, other) {
  for (const name of /** @type {const} */ (['brightness', 'blue', 'red'])) {
    const floor = name === 'brightness' ? brightnessFloor : colourFloor
    for (const [n, plane] of one[name].entries()) {
      addPlane(/** @type {Loss} */ (losses[name][n]), plane, /** @type {Plane} */ (other[name][n]), floor)
    }
  }
}

/** @param {Losses} losses */
function scoreOf({ brightness, blue, red }) {
  const colour = Math.max(weighed(blue, colourWeights), weighed(red, colourWeights))
  const total = (1 - colourShare) * weighed(brightness, brightnessWeights) + colourShare * colour
  return 100 * Math.max(0, 1 - total)
}

/** @param {Loss[]} losses @param {number[]} weights */
function weighed(losses, weights) {
  let sum = 0
  let all = 0
  for (const [n, loss] of losses.entries()) {
    if (loss.count === 0) continue
    sum += (weights[n] ?? 0) * Math.sqrt(loss.sum / loss.count)
    all += weights[n] ?? 0
  }
  return all === 0 ? 0 : sum / all
}

/**
 * Adds the squared loss of similarity of all windows of 8 by 8 pixels, which overlap by half. The square makes a few bad
 * windows count for more than many good ones.
 * @param {Loss} total
 * @param {Plane} one
 * @param {Plane} other
 * @param {number} floor
 */
function addPlane(total, one, other, floor) {
  const columns = Math.ceil(one.width / cell)
  const rows = Math.ceil(one.height / cell)
  let above = new Float64Array(columns * 6)
  let below = new Float64Array(columns * 6)
  const sums = new Float64Array(6)
  for (let row = 0; row < rows; row++) {
    sumCells(one, other, row, below)
    // The first row of cells is a window of its own only where there is no second.
    if (row > 0 || rows === 1) {
      for (let column = 0; column < Math.max(1, columns - 1); column++) {
        sumWindow(sums, column, above, below)
        const loss = windowLoss(sums, floor)
        if (loss < 0) continue
        total.sum += loss * loss
        total.count++
      }
    }
    const last = above
    above = below
    below = last
  }
}

/** Adds up the cells of a window: this column's and the next one's. @param {Float64Array} sums @param {number} column @param {Float64Array} above @param {Float64Array} below */
function sumWindow(sums, column, above, below) {
  for (let n = 0; n < 6; n++) {
    const [here, next] = [column * 6 + n, (column + 1) * 6 + n]
    const more = next < above.length ? at(above, next) + at(below, next) : 0
    sums[n] = at(above, here) + at(below, here) + more
  }
}

/** @param {Float64Array} list @param {number} index */
const at = (list, index) => /** @type {number} */ (list[index])

/**
 * The sums that a row of cells needs for its means and variances.
 * @param {Plane} one
 * @param {Plane} other
 * @param {number} row
 * @param {Float64Array} into
 */
function sumCells({ data, width, height }, { data: others }, row, into) {
  into.fill(0)
  const bottom = Math.min(height, (row + 1) * cell)
  for (let y = row * cell; y < bottom; y++) {
    for (let left = 0, place = 0; left < width; left += cell, place += 6) {
      const right = Math.min(left + cell, width)
      let [n, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0]
      for (let index = y * width + left, end = y * width + right; index < end; index++) {
        const p = /** @type {number} */ (data[index])
        const q = /** @type {number} */ (others[index])
        n++
        a += p
        b += q
        aa += p * p
        bb += q * q
        ab += p * q
      }
      into[place] = at(into, place) + n
      into[place + 1] = at(into, place + 1) + a
      into[place + 2] = at(into, place + 2) + b
      into[place + 3] = at(into, place + 3) + aa
      into[place + 4] = at(into, place + 4) + bb
      into[place + 5] = at(into, place + 5) + ab
    }
  }
}

/** One minus the similarity of a window, or -1 for one that does not count. @param {Float64Array} sums @param {number} floor */
function windowLoss(sums, floor) {
  const n = at(sums, 0)
  const [meanA, meanB] = [at(sums, 1) / n, at(sums, 2) / n]
  const varA = at(sums, 3) / n - meanA * meanA
  const varB = at(sums, 4) / n - meanB * meanB
  const both = at(sums, 5) / n - meanA * meanB
  const distance = meanA - meanB
  if (varA < flat && varB < flat && distance * distance < 1) return -1
  const light = (2 * meanA * meanB + floor) / (meanA * meanA + meanB * meanB + floor)
  return 1 - (light * (2 * both + contrastFloor)) / (varA + varB + contrastFloor)
}

/** @param {Pixels} pixels @param {number} ground @returns {Scales} */
function toScales(pixels, ground) {
  const { width, height } = pixels
  const size = width * height
  const planes = [new Float32Array(size), new Float32Array(size), new Float32Array(size)]
  const [brightness, blue, red] = /** @type {[Float32Array, Float32Array, Float32Array]} */ (planes)
  const { data, channels } = pixels
  for (let n = 0, place = 0; n < size; n++, place += channels) {
    let [r, g, b] = [byte(data, place), byte(data, place + 1), byte(data, place + 2)]
    if (channels === 4) {
      const opacity = byte(data, place + 3) / 255
      const through = ground * (1 - opacity)
      r = r * opacity + through
      g = g * opacity + through
      b = b * opacity + through
    }
    const y = 0.299 * r + 0.587 * g + 0.114 * b
    brightness[n] = y
    blue[n] = (b - y) * 0.564
    red[n] = (r - y) * 0.713
  }
  const [ofBrightness, ofBlue, ofRed] = [brightness, blue, red].map((plane) => halvings({ data: plane, width, height }))
  return { brightness: ofBrightness ?? [], blue: ofBlue?.slice(1) ?? [], red: ofRed?.slice(1) ?? [] }
}

/** @param {Buffer} data @param {number} index */
const byte = (data, index) => /** @type {number} */ (data[index])

/** @param {Plane} plane */
function halvings(plane) {
  const all = [plane]
  let last = plane
  while (all.length < scales && Math.min(last.width, last.height) >= 2) {
    last = halved(last)
    all.push(last)
  }
  return all
}

/** @param {Plane} plane @returns {Plane} */
function halved({ data, width, height }) {
  const [w, h] = [width >> 1, height >> 1]
  const half = new Float32Array(w * h)
  for (let y = 0, n = 0; y < h; y++) {
    for (let x = 0, index = 2 * y * width; x < w; x++, n++, index += 2) {
      const top = /** @type {number} */ (data[index]) + /** @type {number} */ (data[index + 1])
      const bottom = /** @type {number} */ (data[index + width]) + /** @type {number} */ (data[index + width + 1])
      half[n] = (top + bottom) / 4
    }
  }
  return { data: half, width: w, height: h }
}
