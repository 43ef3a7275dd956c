// @ts-check
import { checkSide } from './encode.mjs'
import { createComparison } from './likeness.mjs'
import { identical } from './optimize-contest.mjs'
import { losslessEncoders, lossyEncoders } from './optimize-encoders.mjs'
import { asImage, decode, isSame } from './optimize-image.mjs'
import { allFrames } from './optimize-limits.mjs'
import { searchQuality } from './quality-search.mjs'
import { Refusal } from './refusal.mjs'
import { blameInput } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./optimize-encoders.mjs').Image} Image
 * @typedef {import('./similarity.mjs').Pixels} Pixels
 * @typedef {{ width: number, height: number }} Size
 */

const mostFrames = 8
const sampledPixels = 1_000_000
const [sampleTries, finalTries] = [5, 2]
const worthTrying = 1.5

/**
 * The smallest WebP of an animation: the one format of the web with frames that libvips writes. How alike it looks is
 * measured on frames from all over it.
 * @param {Call} call
 * @param {Source} source
 * @param {{ rules: import('./optimize-contest.mjs').Rules, size: Size }} how
 */
export async function optimizeAnimation(call, source, { rules, size }) {
  if (!rules.formats.includes('webp')) {
    throw new Refusal('unsupported', 'The image is animated, which only webp keeps. Allow webp in the option formats.')
  }
  checkSide('webp', size)
  const all = allFrames(source, call)
  const frames = chooseFrames(source.pages, size)
  const image = await readFrames(frames, (page) => readFrame(source, page, size))
  call.progress(0.2)
  const compare = createComparison(image)
  const judge = (/** @type {Pixels} */ pixels) =>
    rules.target === identical ? (isSame(image, pixels) ? identical : 0) : compare(pixels)
  const judgeResult = async (/** @type {Buffer} */ bytes) =>
    judge(await readFrames(frames, (page) => decode(bytes, { channels: 4 }, { page }), image.channels))
  const write = (/** @type {import('sharp').WebpOptions} */ options) =>
    blameInput(source, all, () =>
      source
        .open(all)
        .resize({ ...size, fit: 'fill' })
        .webp({ effort: 4, ...options })
        .toBuffer(),
    )

  const lossy = rules.target === identical ? undefined : await searchSample(image, judge, rules.target)
  const losslessSample = await losslessEncoders.find(({ format }) => format === 'webp')?.encode(image, false)
  /** @type {Buffer[]} */
  const results = []
  const mayTry = (/** @type {number} */ own, /** @type {number} */ other) => own <= worthTrying * other
  if (lossy && mayTry(lossy.bytes.length, losslessSample?.length ?? 0)) {
    const attempt = async (/** @type {number} */ quality) => {
      const bytes = await write({ quality })
      return { quality, bytes, score: await judgeResult(bytes) }
    }
    const search = {
      from: 5,
      to: 100,
      start: lossy.quality,
      target: rules.target,
      tries: finalTries,
      isLate: rules.isLate,
    }
    const found = await searchQuality(search, attempt)
    if (found) results.push(found.bytes)
  }
  call.progress(0.6)
  const hasTime = results.length === 0 || !rules.isLate()
  if (hasTime && mayTry(losslessSample?.length ?? 0, lossy?.bytes.length ?? Number.POSITIVE_INFINITY)) {
    results.push(await write({ lossless: true }))
  }
  if (results.length === 0) results.push(await write({ lossless: true }))
  return { format: 'webp', bytes: results.reduce((best, one) => (one.length < best.length ? one : best)) }
}

/** @param {Image} image @param {(pixels: Pixels) => number} judge @param {number} target */
async function searchSample(image, judge, target) {
  const webp = lossyEncoders.find(({ format }) => format === 'webp')
  if (webp === undefined) return undefined
  const { from, to, start, encode } = webp
  return searchQuality({ from, to, start: start(target), target, tries: sampleTries }, async (quality) => {
    const bytes = await encode(image, quality, false)
    return { quality, bytes, score: judge(await decode(bytes, image)) }
  })
}

/** @param {number} pages @param {Size} size */
function chooseFrames(pages, { width, height }) {
  // Frames are put on top of each other, and a WebP is at most so high.
  const most = Math.min(mostFrames, pages, Math.floor(16_383 / height))
  const count = Math.max(1, Math.min(most, Math.floor(sampledPixels / (width * height))))
  return Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * pages) / count))
}

/** @param {Source} source @param {number} page @param {Size} size @returns {Promise<Pixels>} */
async function readFrame(source, page, size) {
  return blameInput(source, { page }, async () => {
    const image = source
      .open({ page })
      .resize({ ...size, fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
    const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: 4 }
  })
}

/**
 * Frames as one image, one on top of the other.
 * @param {readonly number[]} frames
 * @param {(page: number) => Promise<Pixels>} read
 * @param {number} [channels]
 * @returns {Promise<Image>}
 */
async function readFrames(frames, read, channels) {
  /** @type {Pixels[]} */
  const parts = []
  for (const page of frames) parts.push(await read(page))
  const [first] = parts
  if (first === undefined) throw new Refusal('engine_crashed', undefined, 'no frames')
  const data = Buffer.concat(parts.map((part) => part.data))
  const image = asImage({ data, width: first.width, height: first.height * parts.length, channels: 4 })
  // An encoder may give opaque frames an opacity, but not the other way round.
  return channels === undefined || channels === image.channels ? image : { ...image, width: 0 }
}
