// @ts-check
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { isWholeGif } from './gif-blocks.mjs'
import { beyond, damaged, incomplete, Refusal } from './refusal.mjs'
import { drawnSide, readSvg } from './svg.mjs'

/**
 * @typedef {import('sharp').Metadata} Metadata
 * @typedef {import('sharp').SharpOptions} SharpOptions
 * @typedef {import('./runner.mjs').FileRef} FileRef
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {{ file: string, format: string, path: string, content: string | Buffer, meta: Metadata, width: number, height: number, pages: number,
 *   open: (more?: SharpOptions) => import('sharp').Sharp,
 *   openAt: (path: string, more?: SharpOptions) => import('sharp').Sharp, tolerate: () => boolean,
 *   isDamaged: () => boolean, isStrict: boolean }} Source
 */

/**
 * Reads the header of an input, proves that it is what it is said to be and within limits, decodes nothing.
 * @param {FileRef} input
 * @param {Call} call
 * @returns {Promise<Source>}
 */
export async function openSource({ file, path, format }, call) {
  const { limits, params } = call
  const content = format === 'svg' ? await readSvg({ path }, limits) : path
  /** @type {SharpOptions} */
  const base = { failOn: 'error', ...(format === 'svg' && { density: params.density ?? 72 }) }
  // After the first error the rest is read as far as it can be, unless the owner wants to know.
  const tolerate = () => {
    if (params.strict || format === 'svg' || base.failOn === 'none') return false
    base.failOn = 'none'
    warnIncomplete(call, file)
    return true
  }
  const isDamaged = () => base.failOn === 'none'
  const readHeader = () => sharp(content, { ...base, limitInputPixels: false }).metadata()
  const meta = await readHeader()
    .catch((error) => (tolerate() ? readHeader() : Promise.reject(error)))
    .catch((error) => {
      throw damaged({ file, format }, error)
    })
  // The decoder is chosen by content: a file that only calls itself png must not reach another one.
  if (formatOf(meta) !== format) throw damaged({ file, format }, new Error(`content is ${meta.format}`))
  // libvips knows Lab only as it writes it itself: of others' it makes a picture that cannot be seen.
  if (format === 'tiff' && /^lab/.test(meta.space ?? '')) throw damaged({ file, format }, new Error('Lab colours'))
  // Nor does it scale samples that are signed or have 32 bits: they come out far too dark or too bright.
  if (format === 'tiff' && ['char', 'short', 'int', 'uint'].includes(meta.depth ?? '')) {
    throw damaged({ file, format }, new Error(`samples of the kind ${meta.depth}`))
  }
  if (format === 'gif' && !isWholeGif(await readFile(path)) && !tolerate()) {
    throw damaged({ format }, new Error('ends within a block'))
  }
  const { width, height } = meta.autoOrient
  if (width * height > limits.pixels) throw beyond('pixels', width * height, limits.pixels)
  const side = Math.max(width, height)
  if (format === 'svg' && side > drawnSide) throw beyond('pixels a side of a drawing', side, drawnSide)
  const openAt = (/** @type {string | Buffer} */ at, more = {}) =>
    sharp(at, { ...base, autoOrient: true, limitInputPixels: limits.pixels, ...more })
  const open = (more = {}) => openAt(content, more)
  const isStrict = params.strict === true
  return {
    file,
    format,
    path,
    content,
    meta,
    width,
    height,
    pages: meta.pages ?? 1,
    open,
    openAt,
    tolerate,
    isDamaged,
    isStrict,
  }
}

/** @param {Call} call @param {string} file */
function warnIncomplete({ tellsPlaces, warnings }, file) {
  // With many inputs it matters which one is meant: their names hold their places, counted from 0.
  const place = tellsPlaces ? /^(?:in|still)-(\d+)\./.exec(file)?.[1] : undefined
  const warning = place === undefined ? incomplete : `File ${Number(place) + 1}: ${incomplete}`
  if (!warnings.includes(warning)) warnings.push(warning)
}

/**
 * Options that open one frame or page, counted from 1.
 * @param {Source} source
 * @param {number} page
 */
export function onePage({ pages }, page) {
  if (page > pages) throw new Refusal('unsupported', `There is no frame or page ${page}: the input has ${pages}.`)
  return { page: page - 1 }
}

/**
 * Options that open all frames of an animation or all pages of a TIFF, within the animation's own limits.
 * @param {Source} source
 * @param {Call} call
 */
export function allPages(source, { limits }) {
  const { pages, width, height } = source
  if (pages > limits.frames) throw beyond('frames', pages, limits.frames)
  const area = pages * width * height
  if (area > limits.animationPixels) throw beyond('pixels of all frames', area, limits.animationPixels)
  return { pages: -1, limitInputPixels: limits.animationPixels }
}

/**
 * Whether all pages can be read as one tall picture, which takes the same size and kind of each.
 * @param {Source} source
 * @param {SharpOptions} more
 */
export async function areAlike(source, more) {
  const meta = await source
    .open(more)
    .metadata()
    .catch(() => undefined)
  return meta !== undefined
}

/**
 * Runs a pipeline; where it fails, finds out whether the input cannot be decoded or we are at fault. Input that is
 * damaged is read as far as it can be, if its owner allows.
 * @template T
 * @param {Source} source
 * @param {SharpOptions} more
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function blameInput(source, more, work) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (await canDecode(source, more)) throw error
    // Another decoder might read as much of it and say nothing.
    if (source.isStrict && !(await isBlank(source, { ...more, failOn: 'none' }))) {
      throw damaged({ format: source.format }, error)
    }
    if (!source.tolerate() || (await isBlank(source, more))) throw damaged(source, error)
    return await work().catch((still) => {
      throw damaged(source, still)
    })
  }
}

/** @param {Source} source @param {SharpOptions} more */
async function canDecode(source, more) {
  const stats = await source
    .open(more)
    .stats()
    .catch(() => undefined)
  return stats !== undefined
}

// A file of which nothing can be read decodes to one colour.
/** @param {Source} source @param {SharpOptions} more */
async function isBlank(source, more) {
  const stats = await source
    .open(more)
    .stats()
    .catch(() => undefined)
  return stats === undefined || stats.channels.every(({ min, max }) => min === max)
}

/** @param {Metadata} meta */
function formatOf({ format, compression }) {
  if (format === 'jpeg') return 'jpg'
  if (format === 'heif') return compression === 'av1' ? 'avif' : 'heic'
  return format
}
