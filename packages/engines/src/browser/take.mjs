// @ts-check
import { open, writeFile } from 'node:fs/promises'
import { Refusal } from './refusal.mjs'

/**
 * How a page is drawn: what a window of that size shows of it, or all of it.
 *
 * @typedef {{
 *   format: 'png' | 'jpeg', quality?: number, isWhole: boolean, maxHeight: number,
 *   viewport: { width: number, height: number },
 * }} Picture
 *
 * @typedef {{ send: (method: string, params?: Record<string, unknown>) => Promise<any> }} Page
 */

const pieceBytes = 1024 * 1024

/**
 * Prints what a tab shows to a file.
 *
 * @param {Page} page
 * @param {string} path
 * @param {Record<string, unknown>} how
 */
export async function print({ send }, path, how) {
  const { stream } = await send('Page.printToPDF', { ...how, transferMode: 'ReturnAsStream' }).catch(noPages)
  await using file = await open(path, 'wx')
  for (let isEnd = false; !isEnd; ) {
    const { data, base64Encoded, eof } = await send('IO.read', { handle: stream, size: pieceBytes })
    await file.write(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'))
    isEnd = eof
  }
}

/** @param {Error} error @returns {never} */
function noPages(error) {
  if (!/page range/i.test(error.message)) throw error
  throw new Refusal('unsupported', 'The option pages names a page that is not there.')
}

/**
 * Draws what a tab shows to a file, and tells whether it was too long for that.
 *
 * @param {Page} page
 * @param {string} path
 * @param {Picture} how
 */
export async function draw({ send }, path, { format, quality, isWhole, maxHeight, viewport }) {
  const { cssContentSize } = await send('Page.getLayoutMetrics')
  const wanted = isWhole ? Math.max(Math.ceil(cssContentSize.height), 1) : viewport.height
  const clip = { x: 0, y: 0, width: viewport.width, height: Math.min(wanted, maxHeight), scale: 1 }
  const how = { format, ...(quality && { quality }), clip, captureBeyondViewport: true }
  const { data } = await send('Page.captureScreenshot', how)
  await writeFile(path, data, 'base64')
  return { isCut: wanted > maxHeight }
}
