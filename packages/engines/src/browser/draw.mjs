// @ts-check
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from './refusal.mjs'
import { within } from './settle.mjs'

/**
 * @typedef {{ input: string, output: string, viewport: { width: number, height: number }, media: string, loadMs: number }} Drawing
 * @typedef {import('./open-browser.mjs').Browser} Browser
 * @typedef {ReturnType<Browser['offlinePage']>} Tab
 */

/**
 * Shows a stored page in a browser without a proxy: what is not in the file is nowhere.
 *
 * @template T
 * @param {{ dir: string, request: Drawing, browser: Browser }} task
 * @param {(page: Tab) => Promise<T>} work
 */
async function withPage({ dir, request, browser }, work) {
  const page = browser.offlinePage()
  await page.setLook(request)
  // Archives are shown without scripts anyway; plain HTML is not.
  await page.send('Emulation.setScriptExecutionDisabled', { value: true })
  /** @type {Promise<true>} */
  const loaded = new Promise((resolve) => page.on('Page.loadEventFired', () => resolve(true)))
  const { errorText } = await page.send('Page.navigate', { url: `file://${join(dir, request.input)}` })
  if (errorText) throw new Refusal('input_damaged', 'The input is damaged, incomplete or no web page.', errorText)
  await within(request.loadMs, loaded)
  return await work(page)
}

const pieceBytes = 1024 * 1024

/**
 * Prints a page.
 *
 * @param {string} dir
 * @param {Drawing & { print: Record<string, unknown> }} request
 * @param {Browser} browser
 */
export function toPdf(dir, request, browser) {
  return withPage({ dir, request, browser }, async ({ send }) => {
    const { stream } = await send('Page.printToPDF', { ...request.print, transferMode: 'ReturnAsStream' }).catch(
      noPages,
    )
    await using file = await open(join(dir, request.output), 'wx')
    for (let isEnd = false; !isEnd; ) {
      const { data, base64Encoded, eof } = await send('IO.read', { handle: stream, size: pieceBytes })
      await file.write(Buffer.from(data, base64Encoded ? 'base64' : 'utf8'))
      isEnd = eof
    }
    return { warnings: [] }
  })
}

/** @param {Error} error @returns {never} */
function noPages(error) {
  if (!/page range/i.test(error.message)) throw error
  throw new Refusal('unsupported', 'The option pages names a page that is not there.')
}

/**
 * Draws a page: what a window shows of it, or all of it.
 *
 * @param {string} dir
 * @param {Drawing & { format: 'png' | 'jpeg', quality?: number, isWhole: boolean, maxHeight: number }} request
 * @param {Browser} browser
 */
export function toPicture(dir, request, browser) {
  return withPage({ dir, request, browser }, async ({ send }) => {
    const { format, quality, isWhole, maxHeight, viewport } = request
    const { cssContentSize } = await send('Page.getLayoutMetrics')
    const wanted = isWhole ? Math.max(Math.ceil(cssContentSize.height), 1) : viewport.height
    const clip = { x: 0, y: 0, width: viewport.width, height: Math.min(wanted, maxHeight), scale: 1 }
    const how = { format, ...(quality && { quality }), clip, captureBeyondViewport: true }
    const { data } = await send('Page.captureScreenshot', how)
    await writeFile(join(dir, request.output), data, 'base64')
    return { warnings: wanted > maxHeight ? [`The page is longer than ${maxHeight} pixels, and was cut there.`] : [] }
  })
}
