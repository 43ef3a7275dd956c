// @ts-check
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { awaitElement, checkSelector, scrollThrough } from './await-page.mjs'
import { followDocument } from './main-document.mjs'
import { Refusal } from './refusal.mjs'
import { watchRequests, within } from './settle.mjs'
import { draw, print } from './take.mjs'

/**
 * What to keep of which page, and how long to wait for it.
 *
 * @typedef {{
 *   url: string, credentials?: { username: string, password: string }, socket: string, output: string,
 *   viewport: { width: number, height: number }, media: string,
 *   openMs: number, loadMs: number, waitMs: number, quietMs: number,
 *   waitFor?: { selector: string, ms: number }, scroll?: { ms: number, maxHeight: number }, take?: Take,
 * }} Capture
 *
 * What to make of it; MHTML if nothing is said.
 *
 * @typedef {{ print: Record<string, unknown> } | { picture: Omit<import('./take.mjs').Picture, 'viewport'> }} Take
 *
 * What came of it: the answer to the document's own request, or why there was none.
 *
 * @typedef {{
 *   documentUrl: string, status?: number, error?: string, title?: string, isLate?: boolean, isMissing?: boolean, isCut?: boolean,
 * }} Captured
 */

/**
 * Opens a page through the proxy behind a socket file and keeps it with all it shows.
 *
 * @param {string} dir
 * @param {Capture} request
 * @param {import('./open-browser.mjs').Browser} browser
 * @returns {Promise<Captured>}
 */
export async function capture(dir, request, browser) {
  const { waitFor, scroll } = request
  const page = browser.onlinePage(join(dir, request.socket))
  if (waitFor) await checkSelector(page, waitFor.selector)
  await page.setLook(request)
  await page.send('Network.enable')
  const requests = watchRequests(page, request.quietMs)
  const main = await followDocument(page, request)
  const opened = await within(request.openMs, page.send('Page.navigate', { url: request.url }))
  const error = opened === undefined ? 'timeout' : opened.errorText
  if (error) return { documentUrl: main.url, error }
  const isLate = (await within(request.loadMs, main.loaded)) === undefined
  main.keep()
  if (main.status === undefined || main.status >= 400) return { documentUrl: main.url, status: main.status }
  const isMissing = waitFor !== undefined && !(await awaitElement(page, waitFor))
  await within(request.waitMs, requests.quiet())
  if (scroll) await scrollThrough(page, { ...scroll, step: request.viewport.height, quiet: requests.quiet })
  if (main.isReplaced) throw new Refusal('unsupported', 'The page replaced itself by something that is no web page.')
  const { isCut } = await keep(page, join(dir, request.output), request)
  return { documentUrl: main.url, status: main.status, title: await page.title(), isLate, isMissing, isCut }
}

/**
 * Writes what a tab shows to a file.
 *
 * @param {import('./take.mjs').Page} page
 * @param {string} path
 * @param {Capture} request
 */
async function keep(page, path, { take, viewport }) {
  if (take === undefined) {
    const { data } = await page.send('Page.captureSnapshot', { format: 'mhtml' })
    await writeFile(path, data)
    return { isCut: false }
  }
  if ('picture' in take) return await draw(page, path, { ...take.picture, viewport })
  await print(page, path, take.print)
  return { isCut: false }
}
