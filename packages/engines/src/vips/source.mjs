// @ts-check
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { isWholeGif } from './gif-blocks.mjs'
import { beyond, damaged, Refusal } from './refusal.mjs'
import { readSvg } from './svg.mjs'

/**
 * @typedef {import('sharp').Metadata} Metadata
 * @typedef {import('sharp').SharpOptions} SharpOptions
 * @typedef {import('./runner.mjs').FileRef} FileRef
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {{ format: string, path: string, meta: Metadata, width: number, height: number, pages: number,
 *   open: (more?: SharpOptions) => import('sharp').Sharp }} Source
 */

/**
 * Reads the header of an input, proves that it is what it is said to be and within limits, decodes nothing.
 * @param {FileRef} input
 * @param {Call} call
 * @returns {Promise<Source>}
 */
export async function openSource({ path, format }, { limits, params }) {
  const content = format === 'svg' ? await readSvg(path, limits) : path
  /** @type {SharpOptions} */
  const base = { failOn: 'error', ...(format === 'svg' && { density: params.density ?? 72 }) }
  const meta = await sharp(content, { ...base, limitInputPixels: false })
    .metadata()
    .catch((error) => {
      throw damaged(format, error)
    })
  // The decoder is chosen by content: a file that only calls itself png must not reach another one.
  if (formatOf(meta) !== format) throw damaged(format, new Error(`content is ${meta.format}`))
  if (format === 'gif' && !isWholeGif(await readFile(path))) throw damaged(format, new Error('ends within a block'))
  const { width, height } = meta.autoOrient
  if (width * height > limits.pixels) throw beyond('pixels', width * height, limits.pixels)
  const open = (more = {}) => sharp(content, { ...base, autoOrient: true, limitInputPixels: limits.pixels, ...more })
  return { format, path, meta, width, height, pages: meta.pages ?? 1, open }
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
export async function allPages(source, { limits }) {
  const { pages, width, height } = source
  if (pages > limits.frames) throw beyond('frames', pages, limits.frames)
  const area = pages * width * height
  if (area > limits.animationPixels) throw beyond('pixels of all frames', area, limits.animationPixels)
  const more = { pages: -1, limitInputPixels: limits.animationPixels }
  await source
    .open(more)
    .metadata()
    .catch((error) => {
      throw new Refusal('unsupported', 'The pages of the input differ in size or kind.', error.message)
    })
  return more
}

/**
 * Runs a pipeline; where it fails, finds out whether the input cannot be decoded or we are at fault.
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
    const isReadable = await source
      .open(more)
      .stats()
      .then(
        () => true,
        () => false,
      )
    throw isReadable ? error : damaged(source.format, error)
  }
}

/** @param {Metadata} meta */
function formatOf({ format, compression }) {
  if (format === 'jpeg') return 'jpg'
  if (format === 'heif') return compression === 'av1' ? 'avif' : 'heic'
  return format
}
