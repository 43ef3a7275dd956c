// @ts-check
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beyond } from './refusal.mjs'
import { blameInput, openSource } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 */

/**
 * Makes an animation of pictures: a frame each, all of the same size.
 * @param {Call} call
 */
export async function mergeToGif(call) {
  const { inputs, output, params, progress } = call
  /** @type {Source[]} */
  const sources = []
  for (const input of inputs) sources.push(await openSource(input, call))
  const size = frameSize(sources, call)
  warnOfLostFrames(sources, call)
  // Frames wait on disk, not in memory: 2,000 of them may be a gigapixel.
  const frames = inputs.map((_, n) => join(call.dir, `frame-${n}.png`))
  try {
    for (const [n, source] of sources.entries()) {
      await writeFrame(source, { ...size, params, path: frames[n] ?? '' })
      progress(0.05 + (0.65 * (n + 1)) / sources.length)
    }
    const { delay, loop } = params
    await sharp(frames, { join: { animated: true }, limitInputPixels: call.limits.animationPixels })
      .gif({ delay: frames.map(() => delay), loop, keepDuplicateFrames: true })
      .toFile(output.path)
  } finally {
    await Promise.all(frames.map((path) => rm(path, { force: true })))
  }
}

/** @param {Source[]} sources @param {Call} call */
function frameSize(sources, { params, limits }) {
  const width = params.width ?? sources[0]?.width
  const height = params.height ?? sources[0]?.height
  if (sources.length > limits.frames) throw beyond('frames', sources.length, limits.frames)
  const area = sources.length * width * height
  if (area > limits.animationPixels) throw beyond('pixels of all frames', area, limits.animationPixels)
  if (Math.max(width, height) > 65_535) throw beyond('pixels a side of a gif file', Math.max(width, height), 65_535)
  return { width, height }
}

/** @param {Source[]} sources @param {Call} call */
function warnOfLostFrames(sources, { warnings }) {
  const lost = sources.filter(({ pages }) => pages > 1).length
  if (lost > 0) warnings.push(`Of ${lost} inputs with several frames or pages only the first was used.`)
}

/** @param {Source} source @param {{ width: number, height: number, path: string, params: Call['params'] }} frame */
async function writeFrame(source, { width, height, path, params }) {
  const isTransparent = params.background === 'transparent'
  const background = isTransparent ? { r: 0, g: 0, b: 0, alpha: 0 } : params.background
  await blameInput(source, {}, () => {
    const image = source.open().toColourspace('srgb').resize({ width, height, fit: params.fit, background })
    // Frames are joined as they are, so all need the same number of channels.
    const even = isTransparent ? image.ensureAlpha() : image.flatten({ background })
    return even.png({ compressionLevel: 1 }).toFile(path)
  })
}
