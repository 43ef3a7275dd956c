// @ts-check
import { longestSide } from './encode.mjs'
import { createComparison } from './likeness.mjs'
import { losslessEncoders, lossyEncoders, reducedPng } from './optimize-encoders.mjs'
import { decode, isSame, sampleOf } from './optimize-image.mjs'
import { searchQuality } from './quality-search.mjs'

/**
 * @typedef {import('./optimize-encoders.mjs').Image} Image
 * @typedef {import('./quality-search.mjs').Try} Try
 * @typedef {{ format: string, bytes: Buffer }} Result
 * @typedef {{ format: string, estimate: number, finish: () => Promise<Buffer | undefined> }} Candidate
 * @typedef {{ formats: readonly string[], target: number, isLate: () => boolean, avifPixels: number }} Rules
 */

// A format whose sample was this much larger than the best result is not tried on the whole image.
const hopeless = 1.25
// Other lossless formats need at least a third of what PNG does.
const hopelessLossless = 3
const [sampleTries, finalTries] = [5, 3]

/** How alike something must look where nothing may differ at all. */
export const identical = 100

/**
 * The smallest encoding of an image that looks as much like it as asked for; undefined where no format can.
 * @param {Image} image
 * @param {Rules} rules
 * @param {Result} [known] one that is good enough, if there is
 */
export async function findSmallest(image, rules, known) {
  const whole = createJudge(image, rules)
  const candidates = await drawCandidates(image, rules, whole)
  let best = known
  for (const { format, estimate, finish } of candidates.sort((one, other) => one.estimate - other.estimate)) {
    if (best && (estimate > hopeless * best.bytes.length || rules.isLate())) continue
    const bytes = await finish()
    if (bytes && (best === undefined || bytes.length < best.bytes.length)) best = { format, bytes }
  }
  return best
}

/**
 * Says how alike an encoding looks, from 0 to 100.
 * @param {Image} image
 * @param {Pick<Rules, 'target'>} rules
 * @returns {(bytes: Buffer) => Promise<number>}
 */
export function createJudge(image, { target }) {
  const compare = target === identical ? undefined : createComparison(image)
  return async (bytes) => {
    const pixels = await decode(bytes, image)
    if (compare === undefined) return isSame(image, pixels) ? identical : 0
    return compare(pixels)
  }
}

/**
 * Tries every format on a sample.
 * @param {Image} image
 * @param {Rules} rules
 * @param {(bytes: Buffer) => Promise<number>} judgeWhole
 */
async function drawCandidates(image, rules, judgeWhole) {
  const sample = sampleOf(image)
  const judgeSample = sample === image ? judgeWhole : createJudge(sample, rules)
  const scale = (image.width * image.height) / (sample.width * sample.height)
  const { target, isLate } = rules
  /** @type {Candidate[]} */
  const candidates = []
  /** @param {string} format @param {{ from: number, to: number, start: number }} range @param {(image: Image, quality: number, isFinal: boolean) => Promise<Buffer>} encode */
  const addSearched = async (format, range, encode) => {
    const attempt = tryWith(encode, sample, { judge: judgeSample, isFinal: false })
    const found = await searchQuality({ ...range, target, tries: sampleTries }, attempt)
    if (found === undefined) return
    const finish = async () => {
      const final = tryWith(encode, image, { judge: judgeWhole, isFinal: true })
      const search = { ...range, start: found.quality, target, tries: finalTries, isLate }
      return (await searchQuality(search, final))?.bytes
    }
    candidates.push({ format, estimate: found.bytes.length * scale, finish })
  }
  if (target < identical) {
    for (const { format, encode, start, ...range } of lossyEncoders.filter(({ format }) =>
      isFit(format, image, rules),
    )) {
      await addSearched(format, { ...range, start: start(target) }, encode)
    }
    // Eight steps are twice the colours, so that 64 are 256 of them.
    const encodePalette = (/** @type {Image} */ from, /** @type {number} */ steps, /** @type {boolean} */ isFinal) =>
      reducedPng(from, Math.round(2 ** (steps / 8)), isFinal)
    if (isFit('png', image, rules)) await addSearched('png', { from: 16, to: 64, start: 64 }, encodePalette)
  }
  await addLossless(candidates, { image, sample, scale, rules, judge: judgeWhole })
  return candidates
}

/**
 * @param {Candidate[]} candidates
 * @param {{ image: Image, sample: Image, scale: number, rules: Rules, judge: (bytes: Buffer) => Promise<number> }} contest
 */
async function addLossless(candidates, { image, sample, scale, rules, judge }) {
  const smallest = Math.min(...candidates.map(({ estimate }) => estimate))
  const isLossless = (/** @type {string} */ format) => format === 'png' || format === 'webp'
  const hasOther = rules.formats.some(isLossless)
  let mostWorthwhile = Number.POSITIVE_INFINITY
  for (const { format, encode } of losslessEncoders) {
    // AVIF without loss is larger than the others: it is for those who take nothing else.
    if (format === 'avif' && hasOther) continue
    if (format !== 'png' && mostWorthwhile < 1) continue
    const bytes = await encode(sample, false)
    // What repeats all over an image costs little there, but not in pieces of it.
    const estimate = bytes.length * scale * (sample === image ? 1 : 0.5)
    if (format === 'png') mostWorthwhile = (hopelessLossless * smallest) / estimate
    if (!isFit(format, image, rules)) continue
    const finish = async () => {
      const result = await encode(image, true)
      return (await judge(result)) >= rules.target ? result : undefined
    }
    candidates.push({ format, estimate, finish })
  }
}

/** @param {string} format @param {Image} image @param {Rules} rules */
function isFit(format, image, { formats, avifPixels }) {
  if (!formats.includes(format) || (format === 'jpg' && image.channels === 4)) return false
  return canHold(format, image, avifPixels)
}

/**
 * Whether an image of this size may become one of this format.
 * @param {string} format
 * @param {{ width: number, height: number }} size
 * @param {number} avifPixels
 */
export function canHold(format, { width, height }, avifPixels) {
  const side = longestSide[/** @type {keyof typeof longestSide} */ (format)]
  return Math.max(width, height) <= side && (format !== 'avif' || width * height <= avifPixels)
}

/**
 * @param {(image: Image, quality: number, isFinal: boolean) => Promise<Buffer>} encode
 * @param {Image} image
 * @param {{ judge: (bytes: Buffer) => Promise<number>, isFinal: boolean }} how
 * @returns {(quality: number) => Promise<Try>}
 */
function tryWith(encode, image, { judge, isFinal }) {
  return async (quality) => {
    const bytes = await encode(image, quality, isFinal)
    return { quality, score: await judge(bytes), bytes }
  }
}
