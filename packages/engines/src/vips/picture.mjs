// @ts-check
import { copyFile, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { checkSide, encode } from './encode.mjs'
import { insertExif } from './exif.mjs'
import { fitSize } from './fit-size.mjs'
import { cropBox, fitMaxSide, targetSize } from './geometry.mjs'
import { setLook } from './look.mjs'
import { Refusal } from './refusal.mjs'
import { allPages, areAlike, blameInput, onePage, openSource } from './source.mjs'
import { layOut, placeStamp } from './stamp.mjs'
import { joinTiffs } from './tiff-pages.mjs'
import { framesWithin } from './trim.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('sharp').Sharp} Sharp
 * @typedef {import('sharp').SharpOptions} SharpOptions
 * @typedef {import('./geometry.mjs').Size} Size
 * @typedef {SharpOptions & { areApart?: boolean }} Pages
 * @typedef {{ size: Size, shape: (image: Sharp) => Sharp, more: Pages, params?: Call['params'], path?: string,
 *   mayDiffer?: boolean, isSmall?: boolean }} How
 */

/** @param {Call} call */
export async function convert(call) {
  const source = await openFirst(call)
  fitMaxSide(call, source)
  const size = targetSize(source, call)
  const more = await pagesToKeep(source, call)
  await write(call, source, { size, more, mayDiffer: true, shape: (image) => turnAndResize(image, call, more) })
  if (call.params.exif !== undefined) await insertExif(call.output, join(call.dir, basename(call.params.exif)))
}

const smaller = { mayDiffer: true, isSmall: true }

/** @param {Call} call */
export async function compress(call) {
  const source = await openFirst(call)
  const more = await pagesToKeep(source, call)
  const before = await stat(source.path)
  if (call.params.target_size === undefined) {
    await write(call, source, { size: source, more, ...smaller, shape: (image) => image })
  } else if (before.size > call.params.target_size) {
    await compressTo(call, source, more)
  }
  const after = await stat(call.output.path).catch(() => before)
  if (after.size < before.size) return
  await copyFile(source.path, call.output.path)
  call.warnings.push('The result was not smaller, so the original is returned.')
}

/** @param {Call} call @param {Source} source @param {SharpOptions} more */
async function compressTo(call, source, more) {
  await fitSize(call, {
    size: source,
    async write({ params, scale, path }) {
      const size = { width: Math.max(1, Math.round(source.width * scale)), height: source.height * scale }
      const shape = (/** @type {Sharp} */ image) => (scale === 1 ? image : image.resize({ width: size.width }))
      await write(call, source, { size, more, ...smaller, shape, params: { ...call.params, ...params }, path })
    },
  })
}

/** @param {Call} call */
export async function crop(call) {
  const source = await openFirst(call)
  const box = cropBox(source, call)
  const more = await pagesToKeep(source, call)
  await write(call, source, { size: box, more, shape: (image) => image.extract(box) })
}

/** Lays a watermark, the second input, over every frame or page. @param {Call} call */
export async function watermark(call) {
  const source = await openFirst(call)
  const [, stamp] = call.inputs
  if (stamp === undefined) throw new Refusal('engine_crashed', undefined, 'no watermark')
  const more = await pagesToKeep(source, call)
  const layers = await placeStamp(await readFile(stamp.path), source, call.params)
  // Frames stand below one another: what is as large as one of them is repeated on each.
  const over = more.pages === undefined ? layers : [{ input: await layOut(layers, source), tile: true }]
  await write(call, source, { size: source, more, shape: (image) => image.composite(over) })
}

/** @param {Call} call */
export async function trim(call) {
  const source = await openFirst(call)
  const { pages, meta } = source
  const { delay, ...kept } = framesWithin({ pages, delay: meta.delay }, call.params)
  const more = { ...allPages(source, call), ...kept }
  await write(call, source, { size: source, more, shape: (image) => image, params: { ...call.params, delay } })
}

/** @param {Call} call */
async function openFirst(call) {
  const [input] = call.inputs
  if (input === undefined) throw new Refusal('engine_crashed', undefined, 'no input')
  const source = await openSource(input, call)
  call.progress(0.1)
  return source
}

/**
 * Which frames or pages to open: the one asked for, all where the result can hold them, else the first.
 * @param {Source} source
 * @param {Call} call
 * @returns {Promise<Pages>}
 */
async function pagesToKeep(source, call) {
  const { params, output, warnings } = call
  if (params.page !== undefined) return onePage(source, params.page)
  if (source.pages === 1) return {}
  if (keepsPages(source.format, output.format)) {
    const all = allPages(source, call)
    return (await areAlike(source, all)) ? all : { areApart: true }
  }
  warnings.push(`Only the first of the ${source.pages} frames or pages was kept.`)
  return {}
}

/** @param {string} from @param {string} to */
function keepsPages(from, to) {
  const animated = ['gif', 'webp']
  return (animated.includes(from) && animated.includes(to)) || (from === 'tiff' && to === 'tiff')
}

/** @param {Call} call @param {Source} source @param {How} how */
async function write(call, source, how) {
  const { output } = call
  const { size, shape, more, params = call.params, path = output.path, mayDiffer = false, isSmall = false } = how
  checkSide(output.format, size)
  const area = size.width * size.height
  const writeTo = (/** @type {SharpOptions} */ opened, /** @type {string} */ target) =>
    blameInput(source, opened, () => {
      const image = encode(shape(source.open(opened)), { format: output.format, isSmall, params, area })
      setLook(image, { ...call, params }, source)
      return image.toFile(target)
    })
  if (!more.areApart) return void (await writeTo(more, path))
  if (!mayDiffer) throw new Refusal('unsupported', 'The pages of the input differ in size or kind.')
  const parts = Array.from({ length: source.pages }, (_, page) => join(call.dir, `page-${page}.tiff`))
  try {
    for (const [page, part] of parts.entries()) await writeTo({ page }, part)
    await joinTiffs(parts, path)
  } finally {
    await Promise.all(parts.map((part) => rm(part, { force: true })))
  }
}

/** @param {Sharp} image @param {Call} call @param {SharpOptions} more */
function turnAndResize(image, { params }, { pages }) {
  const { rotate = '0', width, height, fit } = params
  const isQuarter = rotate === '90' || rotate === '270'
  if (isQuarter && pages !== undefined) {
    throw new Refusal('unsupported', 'Animations and files of several pages can be rotated by 180 degrees only.')
  }
  if (rotate !== '0') image.rotate(Number(rotate))
  if (width !== undefined || height !== undefined) image.resize({ width, height, fit })
  return image
}
