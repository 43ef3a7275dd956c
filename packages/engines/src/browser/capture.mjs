// @ts-check
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { followDocument } from './main-document.mjs'
import { Refusal } from './refusal.mjs'
import { watchRequests, within } from './settle.mjs'

/**
 * What to keep of which page, and how long to wait for it.
 *
 * @typedef {{
 *   url: string, credentials?: { username: string, password: string }, socket: string, output: string,
 *   viewport: { width: number, height: number }, media: string,
 *   openMs: number, loadMs: number, waitMs: number, quietMs: number,
 * }} Capture
 *
 * What came of it: the answer to the document's own request, or why there was none.
 *
 * @typedef {{ documentUrl: string, status?: number, error?: string, title?: string, isLate?: boolean }} Captured
 */

/**
 * Opens a page through the proxy behind a socket file and keeps it, with all it shows, as one MHTML file.
 *
 * @param {string} dir
 * @param {Capture} request
 * @param {import('./open-browser.mjs').Browser} browser
 * @returns {Promise<Captured>}
 */
export async function capture(dir, request, browser) {
  const page = browser.onlinePage(join(dir, request.socket))
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
  await within(request.waitMs, requests.quiet())
  if (main.isReplaced) throw new Refusal('unsupported', 'The page replaced itself by something that is no web page.')
  const { data } = await page.send('Page.captureSnapshot', { format: 'mhtml' })
  await writeFile(join(dir, request.output), data)
  return { documentUrl: main.url, status: main.status, title: await page.title(), isLate }
}
