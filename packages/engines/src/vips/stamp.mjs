// @ts-check
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { openSource } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('sharp').OverlayOptions} OverlayOptions
 * @typedef {{ width: number, height: number }} Size
 */

const clear = { r: 0, g: 0, b: 0, alpha: 0 }

// A watermark larger than this is seen by nobody.
const longestStamp = 4096

/** Draws a watermark, turned and as transparent as asked. @param {Call} call */
export async function drawStamp(call) {
  await (await makeStamp(call)).toFile(call.output.path)
}

/** Draws a watermark at its place on a transparent image. @param {Call} call */
export async function drawLayer(call) {
  const { width, height } = call.params
  const stamp = await (await makeStamp(call)).toBuffer()
  const layers = await placeStamp(stamp, { width, height }, call.params)
  await writeFile(call.output.path, await layOut(layers, { width, height }))
}

/** Watermarks at their places on a transparent image. @param {OverlayOptions[]} layers @param {Size} size */
export async function layOut(layers, { width, height }) {
  const canvas = sharp({ create: { width, height, channels: 4, background: clear } })
  return await canvas.composite(layers).png({ compressionLevel: 1 }).toBuffer()
}

/** @param {Call} call */
async function makeStamp(call) {
  const { opacity, rotation } = call.params
  const drawn = call.inputs.length > 0 ? await drawOverlay(call) : await drawText(call)
  const { data, info } = await drawn.ensureAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  for (let i = 3; i < data.length; i += 4) data[i] = Math.round(((data[i] ?? 0) * opacity) / 100)
  const { width, height } = info
  const stamp = sharp(data, { raw: { width, height, channels: 4 } })
  return (rotation === 0 ? stamp : stamp.rotate(rotation, { background: clear })).png({ compressionLevel: 1 })
}

/** @param {Call} call */
async function drawOverlay(call) {
  const [overlay] = call.inputs
  if (overlay === undefined) throw new Error('no overlay')
  const source = await openSource(overlay, call)
  return source.open().resize({ width: longestStamp, height: longestStamp, fit: 'inside', withoutEnlargement: true })
}

/** Letters with a glow around them, so that they can be read on any background. @param {Call} call */
async function drawText({ dir, params: { color } }) {
  const text = await readFile(join(dir, 'stamp.txt'), 'utf8')
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  // A long text in large letters would be wider than any page.
  const dpi = text.length > 40 ? 150 : 300
  const edge = dpi / 15
  const markup = `<span foreground="${color}">${escaped}</span>`
  const letters = await sharp({ text: { text: markup, font: 'sans bold 24', dpi, rgba: true } })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: clear })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const { width, height } = await sharp(letters).metadata()
  const alpha = await sharp(letters)
    .extractChannel('alpha')
    .blur(edge / 3)
    .linear(1.5, 0)
    .raw()
    .toBuffer()
  const around = await sharp({ create: { width, height, channels: 3, background: await glowOf(color) } })
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(around).composite([{ input: letters }])
}

/** Light around dark letters, dark around light ones. @param {string} color */
async function glowOf(color) {
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: color } })
  const [red = 0, green = 0, blue = 0] = await dot.raw().toBuffer()
  return 0.3 * red + 0.6 * green + 0.1 * blue > 160 ? '#000000' : '#ffffff'
}

/**
 * How a watermark is laid over an image of a size.
 * @param {Buffer} stamp
 * @param {Size} on
 * @param {Call['params']} params
 * @returns {Promise<OverlayOptions[]>}
 */
export async function placeStamp(stamp, on, { position, size, margin }) {
  const space = Math.round((Math.min(on.width, on.height) * margin) / 100)
  const room = { width: Math.max(1, on.width - 2 * space), height: Math.max(1, on.height - 2 * space) }
  const width = Math.max(1, Math.min(Math.round((on.width * size) / 100), room.width))
  const fitted = sharp(stamp).resize({ width, height: room.height, fit: 'inside' })
  if (position === 'tile') {
    const input = await fitted.extend({ top: space, bottom: space, left: space, right: space, background: clear })
    return [{ input: await input.png({ compressionLevel: 1 }).toBuffer(), tile: true, gravity: 'northwest' }]
  }
  const { data, info } = await fitted.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true })
  const left = along(position, ['left', 'right'], { whole: on.width, part: info.width, space })
  const top = along(position, ['top', 'bottom'], { whole: on.height, part: info.height, space })
  return [{ input: data, left, top }]
}

/** @param {string} position @param {[string, string]} ends @param {{ whole: number, part: number, space: number }} lengths */
function along(position, [start, end], { whole, part, space }) {
  const words = position.split('_')
  if (words.includes(start)) return Math.min(space, whole - part)
  return words.includes(end) ? Math.max(0, whole - part - space) : Math.round((whole - part) / 2)
}
