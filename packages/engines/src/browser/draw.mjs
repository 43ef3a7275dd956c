// @ts-check
import { join } from 'node:path'
import { Refusal } from './refusal.mjs'
import { within } from './settle.mjs'
import { draw, print } from './take.mjs'

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

/**
 * Prints a page.
 *
 * @param {string} dir
 * @param {Drawing & { print: Record<string, unknown> }} request
 * @param {Browser} browser
 */
export function toPdf(dir, request, browser) {
  return withPage({ dir, request, browser }, async (page) => {
    await print(page, join(dir, request.output), request.print)
    return { warnings: [] }
  })
}

/**
 * Draws a page: what a window shows of it, or all of it.
 *
 * @param {string} dir
 * @param {Drawing & import('./take.mjs').Picture} request
 * @param {Browser} browser
 */
export function toPicture(dir, request, browser) {
  return withPage({ dir, request, browser }, async (page) => {
    const { isCut } = await draw(page, join(dir, request.output), request)
    return { warnings: isCut ? [`The page is longer than ${request.maxHeight} pixels, and was cut there.`] : [] }
  })
}
