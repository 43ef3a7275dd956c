// @ts-check
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { stripJpeg } from './jpeg-segments.mjs'
import { optimizeAnimation } from './optimize-animation.mjs'
import { createJudge, findSmallest } from './optimize-contest.mjs'
import { toImage } from './optimize-image.mjs'
import { checkedSize, rulesOf } from './optimize-limits.mjs'
import { Refusal } from './refusal.mjs'
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
