// @ts-check
import { stat, writeFile } from 'node:fs/promises'
import { toPdfDrawing } from './pdf-drawing.mjs'
import { toPdfImage } from './pdf-image.mjs'
import { beyond, Refusal } from './refusal.mjs'
import { openSource } from './source.mjs'
import { separatePages } from './tiff-chain.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {import('./runner.mjs').FileRef} FileRef
 * @typedef {import('pdf-lib').PDFDocument} PDFDocument
 * @typedef {typeof import('pdf-lib')} PdfLib
 */

/**
 * Makes a PDF of the inputs in order: a page for each picture, or for each page of a TIFF.
 * @param {Call} call
 */
export async function toPdf(call) {
  // Half of all instances never write a PDF, so the library is loaded when the first one is asked for.
  const lib = await import('pdf-lib')
  await checkBytes(call)
  const document = await lib.PDFDocument.create({ updateMetadata: false })
  for (const [n, input] of call.inputs.entries()) {
    await addPicture(lib, document, { input, call })
    call.progress((0.9 * (n + 1)) / call.inputs.length)
  }
  await writeFile(
    call.output.path,
    await document.save({ addDefaultPage: false, objectsPerTick: Number.POSITIVE_INFINITY }),
  )
}

/** @param {Call} call */
async function checkBytes({ inputs, limits }) {
  const sizes = await Promise.all(inputs.map(async ({ path }) => (await stat(path)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > limits.pdfInputBytes) throw beyond('bytes of all inputs', total, limits.pdfInputBytes)
}

/**
 * Refuses a document that would get too many pages.
 * @param {Pick<PDFDocument, 'getPageCount'>} document
 * @param {Pick<Call, 'limits'>} call
 * @param {number} more
 */
export function checkPages(document, { limits }, more) {
  const pages = document.getPageCount() + more
  if (pages > limits.pdfPages) throw beyond('pages', pages, limits.pdfPages)
}

/** @param {PdfLib} lib @param {PDFDocument} document @param {{ input: FileRef, call: Call }} part */
async function addPicture(lib, document, { input, call }) {
  if (input.format === 'svg') {
    checkPages(document, call, 1)
    return addImagePage(lib, document, { image: await toPdfDrawing(document, { input, call }), params: call.params })
  }
  const source = await openSource(input, call)
  const isPaged = source.format === 'tiff'
  if (source.pages > 1 && !isPaged) {
    call.warnings.push(`Only the first of the ${source.pages} frames of an animation was kept.`)
  }
  const pages = isPaged ? source.pages : 1
  checkPages(document, call, pages)
  await using separate = await separatePages(source, `${call.output.path}.pages`)
  for (let page = 0; page < pages; page++) {
    const image = await toPdfImage(document, { source: await separate.at(page), page, call })
    addImagePage(lib, document, { image, params: call.params })
  }
}

/**
 * @param {PdfLib} lib
 * @param {PDFDocument} document
 * @param {{ image: import('./pdf-image.mjs').PdfImage, params: Call['params'] }} part
 */
function addImagePage(lib, document, { image, params }) {
  const natural = { width: (image.width * 72) / image.density, height: (image.height * 72) / image.density }
  const sheet = toSheet(natural, params)
  const room = { width: sheet.width - 2 * margin(params), height: sheet.height - 2 * margin(params) }
  if (room.width <= 0 || room.height <= 0) throw new Refusal('unsupported', 'The margin leaves no room on the page.')
  const fitting = Math.min(room.width / natural.width, room.height / natural.height)
  // Without enlarging, a picture only shrinks, and only as far as it must.
  const size = scaled(natural, params.enlarge_images_to_fit === false ? Math.min(1, fitting) : fitting)
  const page = document.addPage([sheet.width, sheet.height])
  const { pushGraphicsState, popGraphicsState, concatTransformationMatrix: move, drawObject } = lib
  const name = page.node.newXObject('Image', image.ref)
  const [left, bottom] = [(sheet.width - size.width) / 2, (sheet.height - size.height) / 2]
  page.pushOperators(
    pushGraphicsState(),
    move(size.width, 0, 0, size.height, left, bottom),
    move(...image.shown),
    drawObject(name),
    popGraphicsState(),
  )
}

/** @param {Call['params']} params */
const margin = (params) => params.pdf_margin ?? 0

/** @param {{ width: number, height: number }} natural @param {Call['params']} params */
function toSheet(natural, params) {
  if (!params.page) {
    const whole = { width: natural.width + 2 * margin(params), height: natural.height + 2 * margin(params) }
    return scaled(whole, Math.min(1, maxPagePoints / Math.max(whole.width, whole.height)))
  }
  const { width, height } = params.page
  const isWide =
    params.pdf_orientation === 'auto' ? natural.width > natural.height : params.pdf_orientation === 'landscape'
  return isWide ? { width: height, height: width } : { width, height }
}

// ISO 32000-1, annex C.2: readers need not show a page larger than this.
const maxPagePoints = 14_400

/** @param {{ width: number, height: number }} size @param {number} by */
function scaled({ width, height }, by) {
  return { width: width * by, height: height * by }
}
