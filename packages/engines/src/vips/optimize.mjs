// @ts-check
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { checkSide } from './encode.mjs'
import { targetSize } from './geometry.mjs'
import { stripJpeg } from './jpeg-segments.mjs'
import { optimizeAnimation } from './optimize-animation.mjs'
import { canHold, createJudge, findSmallest } from './optimize-contest.mjs'
import { toImage } from './optimize-image.mjs'
import { beyond, Refusal } from './refusal.mjs'
import { blameInput, openSource } from './source.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./optimize-encoders.mjs').Image} Image
 * @typedef {import('./optimize-contest.mjs').Rules} Rules
 */

const animated = ['gif', 'webp']

/**
 * Writes the smallest of the allowed formats that looks as much like the image as asked for, and finds which it is.
 * @param {Call} call
 */
export async function optimize(call) {
  const [input] = call.inputs
  if (input === undefined) throw new Refusal('engine_crashed', undefined, 'no input')
  const source = await openSource(input, call)
  call.progress(0.05)
  const rules = rulesOf(call)
  const size = checkedSize(source, call)
  const isResized = size.width !== source.width || size.height !== source.height
  const isMoving = source.pages > 1 && animated.includes(source.format)
  const best = isMoving
    ? await optimizeAnimation(call, source, { rules, size })
    : await optimizeStill(call, source, { rules, size, isResized })
  if (best !== undefined) await writeFile(call.output.path, best.bytes)
  else await keepOriginal(call, isResized)
  Object.assign(call.findings, { format: best?.format ?? '', isResized })
}

/** @param {Call} call @returns {Rules} */
function rulesOf({ params, limits }) {
  const end = Date.now() + limits.searchMs
  return {
    formats: params.formats,
    target: params.similarity,
    isLate: () => Date.now() > end,
    avifPixels: limits.avifPixels,
  }
}

/** @param {Source} source @param {Call} call */
function checkedSize(source, call) {
  const { width, height } = call.params
  // An image is never enlarged.
  const params = {
    fit: 'inside',
    ...(width < source.width && { width }),
    ...(height < source.height && { height }),
  }
  const size = targetSize(source, { ...call, params })
  const area = size.width * size.height
  const { optimizedPixels } = call.limits
  if (area > optimizedPixels) throw beyond('pixels of the result', area, optimizedPixels)
  checkFormats(size, call)
  return { width: Math.max(1, Math.round(size.width)), height: Math.max(1, Math.round(size.height)) }
}

/** Refuses what none of the allowed formats can hold. @param {{ width: number, height: number }} size @param {Call} call */
function checkFormats(size, { params, limits: { avifPixels } }) {
  /** @type {string[]} */
  const formats = params.formats
  if (formats.some((format) => canHold(format, size, avifPixels))) return
  for (const format of formats) checkSide(format, size)
  throw beyond('pixels of an avif result', size.width * size.height, avifPixels)
}

/** @param {Call} call @param {Source} source @param {{ rules: Rules, size: { width: number, height: number }, isResized: boolean }} how */
async function optimizeStill(call, source, { rules, size, isResized }) {
  if (source.pages > 1) call.warnings.push(`Only the first of the ${source.pages} frames or pages was kept.`)
  const read = await blameInput(source, {}, () => {
    const image = source.open()
    return toImage(isResized ? image.resize({ ...size, fit: 'fill' }) : image)
  })
  const image = await filled(call, read, rules)
  call.progress(0.15)
  const known = isResized ? undefined : await strippedOriginal(source, image, rules)
  return findSmallest(image, rules, known)
}

/** The image with a background where no allowed format has transparency. @param {Call} call @param {Image} image @param {Rules} rules */
async function filled({ params, warnings }, image, { formats }) {
  if (image.channels === 3 || formats.some((format) => format !== 'jpg')) return image
  warnings.push('The transparent parts were filled: of the allowed formats none has transparency.')
  const { data, width, height } = image
  return toImage(sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: params.background }))
}

/**
 * A JPEG as it is, without its metadata: what was encoded once already is often the best there is.
 * @param {Source} source
 * @param {Image} image
 * @param {Rules} rules
 */
async function strippedOriginal({ format, path, isDamaged }, image, rules) {
  if (format !== 'jpg' || !rules.formats.includes('jpg') || isDamaged()) return undefined
  const bytes = stripJpeg(await readFile(path))
  const score = await createJudge(image, rules)(bytes)
  return score >= rules.target ? { format, bytes } : undefined
}

/** @param {Call} call @param {boolean} isResized */
async function keepOriginal({ dir, params, output }, isResized) {
  if (params.original !== undefined && !isResized) return copyFile(join(dir, basename(params.original)), output.path)
  const text = `No allowed format (${params.formats.join(', ')}) reaches this similarity. Allow png or webp, or ask for less similarity.`
  throw new Refusal('unsupported', text)
}
