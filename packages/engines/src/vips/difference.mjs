// @ts-check
import sharp from 'sharp'
import { similarity } from './similarity.mjs'
import { openSource } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 */

/**
 * Compares two images and draws the first one in pale grey, with what differs in red. Images of other sizes are compared
 * from their top left corners; what only one of them has differs.
 * @param {Call} call
 */
export async function difference(call) {
  const sources = []
  for (const input of call.inputs) sources.push(await openSource(input, call))
  const [one, other] = sources
  if (!one || !other) throw new Error('two images are needed')
  const whole = { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) }
  const scale = Math.min(1, call.params.side / Math.max(whole.width, whole.height))
  const size = { width: scaled(whole.width, scale), height: scaled(whole.height, scale) }
  const [before, after] = [await draw(one, size, scale), await draw(other, size, scale)]
  call.progress(0.5)
  const changed = paint(before, after, call.params.tolerance)
  await sharp(before.shown, { raw: { ...size, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toFile(call.output.path)
  Object.assign(call.findings, {
    similarity: round(
      similarity({ data: before.data, ...size, channels: 4 }, { data: after.data, ...size, channels: 4 }),
    ),
    changed: changed / (size.width * size.height),
    width: one.width,
    height: one.height,
    otherWidth: other.width,
    otherHeight: other.height,
  })
}

/** @param {number} length @param {number} scale */
const scaled = (length, scale) => Math.max(1, Math.round(length * scale))

/** @param {number} value */
const round = (value) => Math.round(value * 1e6) / 1e6

/**
 * The pixels of an image on a canvas of this size, transparent where it has none.
 * @param {Source} source
 * @param {{ width: number, height: number }} size
 * @param {number} scale
 */
async function draw(source, size, scale) {
  const own = {
    width: Math.min(size.width, scaled(source.width, scale)),
    height: Math.min(size.height, scaled(source.height, scale)),
  }
  const drawn = source.open().toColourspace('srgb').ensureAlpha()
  if (scale < 1) drawn.resize({ ...own, fit: 'fill' })
  const edge = { right: size.width - own.width, bottom: size.height - own.height }
  if (edge.right > 0 || edge.bottom > 0) drawn.extend({ ...edge, background: { r: 0, g: 0, b: 0, alpha: 0 } })
  const data = await drawn.raw({ depth: 'uchar' }).toBuffer()
  return { data, shown: Buffer.alloc(size.width * size.height * 3) }
}

/**
 * Fills the picture to show, and counts the pixels that differ.
 * @param {{ data: Buffer, shown: Buffer }} before
 * @param {{ data: Buffer }} after
 * @param {number} tolerance
 */
function paint({ data: one, shown }, { data: other }, tolerance) {
  let changed = 0
  for (let at = 0, to = 0; at < one.length; at += 4, to += 3) {
    let apart = 0
    for (let n = 0; n < 4; n++) apart = Math.max(apart, Math.abs((one[at + n] ?? 0) - (other[at + n] ?? 0)))
    const isSame = apart <= tolerance
    if (!isSame) changed += 1
    const grey =
      255 -
      ((255 - (0.3 * (one[at] ?? 0) + 0.6 * (one[at + 1] ?? 0) + 0.1 * (one[at + 2] ?? 0))) * (one[at + 3] ?? 0)) /
        255 /
        3
    shown[to] = isSame ? grey : 220
    shown[to + 1] = isSame ? grey : 20
    shown[to + 2] = isSame ? grey : 40
  }
  return changed
}
