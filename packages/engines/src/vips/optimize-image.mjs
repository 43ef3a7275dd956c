// @ts-check
import sharp from 'sharp'

/**
 * @typedef {import('./similarity.mjs').Pixels} Pixels
 * @typedef {import('./optimize-encoders.mjs').Image} Image
 * @typedef {import('sharp').Sharp} Sharp
 */

const tile = 64
const tilesAcross = 8
// Blocks of JPEG stay whole, so that a sample behaves as the image does.
const grid = 16

/**
 * The pixels of an image as a screen shows them: 8 bits, sRGB, and opacity only where something is transparent.
 * @param {Sharp} image
 * @returns {Promise<Image>}
 */
export async function toImage(image) {
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return asImage({ data, width: info.width, height: info.height, channels: 4 })
}

/**
 * @param {Pixels} pixels four channels
 * @returns {Image}
 */
export function asImage(pixels) {
  const isOpaque = hideUnseen(pixels.data)
  const image = isOpaque ? withoutOpacity(pixels) : pixels
  const grey = toGrey(image)
  return grey === undefined ? image : { ...image, grey }
}

/**
 * The pixels of an encoded image, with as many channels as the original has.
 * @param {Buffer} bytes
 * @param {Pick<Pixels, 'channels'>} original
 * @param {import('sharp').SharpOptions} [more]
 * @returns {Promise<Pixels>}
 */
export async function decode(bytes, { channels }, more = {}) {
  const opened = sharp(bytes, { autoOrient: true, limitInputPixels: false, ...more }).toColourspace('srgb')
  const image = channels === 4 ? opened.ensureAlpha() : opened.removeAlpha()
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (channels === 4) hideUnseen(data)
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Whether two images show the same, pixel by pixel. @param {Pixels} one @param {Pixels} other */
export function isSame(one, other) {
  return one.width === other.width && one.height === other.height && one.data.equals(other.data)
}

/**
 * A part of a large image that costs and loses as much as the whole: small pieces from all over it.
 * @param {Image} image
 * @returns {Image}
 */
export function sampleOf(image) {
  const { width, height, channels, grey } = image
  const most = tilesAcross * tilesAcross
  if (width * height <= 1.25 * most * tile * tile) return image
  const [tileWidth, tileHeight] = [Math.min(tile, width), Math.min(tile, height)]
  const across = Math.min(tilesAcross, Math.floor(width / tileWidth))
  const down = Math.min(Math.ceil(most / across), Math.floor(height / tileHeight))
  const columns = places(width - tileWidth, across)
  const rows = places(height - tileHeight, down)
  const cut = (/** @type {Pixels} */ pixels) => {
    const size = { width: across * tileWidth, height: down * tileHeight }
    const data = Buffer.alloc(size.width * size.height * pixels.channels)
    let at = 0
    for (const top of rows) {
      for (let y = top; y < top + tileHeight; y++) {
        for (const left of columns) {
          const from = (y * width + left) * pixels.channels
          at += pixels.data.copy(data, at, from, from + tileWidth * pixels.channels)
        }
      }
    }
    return { ...size, data, channels: pixels.channels }
  }
  return { ...cut({ data: image.data, width, height, channels }), ...(grey && { grey: cut(grey) }) }
}

/** @param {number} room @param {number} count */
function places(room, count) {
  const step = count > 1 ? room / (count - 1) : 0
  return Array.from({ length: count }, (_, n) => Math.floor((n * step) / grid) * grid)
}

// The colour of what is wholly transparent is not seen, and one for all costs the fewest bytes.
/** @param {Buffer} data four channels @returns {boolean} whether nothing is transparent */
function hideUnseen(data) {
  let isOpaque = true
  for (let at = 3; at < data.length; at += 4) {
    const opacity = data[at]
    if (opacity === 255) continue
    isOpaque = false
    if (opacity === 0) data.fill(0, at - 3, at)
  }
  return isOpaque
}

/** @param {Pixels} pixels @returns {Pixels} */
function withoutOpacity({ data, width, height }) {
  const less = Buffer.alloc(width * height * 3)
  for (let from = 0, to = 0; to < less.length; from += 4, to += 3) {
    less[to] = data[from] ?? 0
    less[to + 1] = data[from + 1] ?? 0
    less[to + 2] = data[from + 2] ?? 0
  }
  return { data: less, width, height, channels: 3 }
}

/** @param {Pixels} pixels @returns {Pixels | undefined} */
function toGrey({ data, width, height, channels }) {
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return undefined
  }
  const less = channels === 4 ? 2 : 1
  const grey = Buffer.alloc(width * height * less)
  for (let from = 0, to = 0; from < data.length; from += channels, to += less) {
    grey[to] = data[from] ?? 0
    if (less === 2) grey[to + 1] = data[from + 3] ?? 0
  }
  return { data: grey, width, height, channels: less }
}
