// @ts-check
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inertCss } from './inert-css.mjs'
import { makeInert } from './inert-page.mjs'
import { parseMhtml, textOf } from './mhtml.mjs'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./mhtml.mjs').Part} Part
 * @typedef {{ pattern: RegExp, marks: Record<string, string>, parts: Part[], room: { bytes: number } }} Filling
 */

/**
 * Makes one HTML file of a page and all its parts, in which nothing runs and from which nothing is fetched.
 *
 * @param {string} dir
 * @param {{ input: string, output: string, maxBytes: number }} request
 * @param {import('./open-browser.mjs').Browser} browser
 */
export async function toHtml(dir, { input, output, maxBytes }, browser) {
  const parts = parseMhtml(await readFile(join(dir, input)))
  // Only marks go into the browser, not the parts they stand for: most of a page is pictures.
  const token = randomBytes(8).toString('hex')
  const isPage = (/** @type {Part} */ { type }) => type === 'text/html'
  const marks = byName(parts, (part, n) => (isPage(part) ? undefined : `data:${token},${n}.`))
  const pages = parts.filter(isPage)
  const frames = byName(pages, (_, n) => n)
  const texts = pages.map((page) => ({ text: textOf(page), location: page.location }))
  const marked = await inBrowser(browser, { pages: texts, marks, frames })
  const filling = { pattern: new RegExp(`data:${token},(\\d+)\\.`, 'g'), marks, parts, room: { bytes: maxBytes } }
  await writeFile(join(dir, output), fill(marked, filling, 0))
  return { warnings: [] }
}

/**
 * What stands for each part, by all the names it goes by.
 *
 * @template T
 * @param {Part[]} parts
 * @param {(part: Part, n: number) => T | undefined} standIn
 * @returns {Record<string, T>}
 */
function byName(parts, standIn) {
  const pairs = parts.flatMap((part, n) => {
    const value = standIn(part, n)
    const names = [part.location, part.id && `cid:${part.id}`].filter(Boolean)
    return value === undefined ? [] : names.map((name) => [name, value])
  })
  return Object.fromEntries(pairs)
}

/**
 * @param {import('./open-browser.mjs').Browser} browser
 * @param {import('./inert-page.mjs').Given} given
 */
async function inBrowser(browser, given) {
  const { send } = browser.offlinePage()
  const expression = `(${makeInert})(${JSON.stringify(given)}, ${inertCss})`
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true })
  if (exceptionDetails) throw new Refusal('engine_crashed', undefined, String(exceptionDetails.exception?.description))
  return String(result.value)
}

const maxDepth = 5
const harmless = /^(image|font|audio|video)\/[\w.+-]{1,80}$|^text\/css$|^application\/(x-)?font-[\w.+-]{1,80}$/

/**
 * Puts parts in the place of their marks; those of a style sheet, too. Counted as it grows, since a small sheet may
 * name a large picture any number of times.
 *
 * @param {string} text
 * @param {Filling} filling
 * @param {number} depth
 * @returns {string}
 */
export function fill(text, filling, depth) {
  const { pattern, marks, parts, room } = filling
  return text.replaceAll(pattern, (_, n) => {
    const part = parts[Number(n)]
    if (!part || depth > maxDepth || !harmless.test(part.type)) return 'data:,'
    const isStyle = part.type === 'text/css'
    const content = isStyle ? fill(inertCss(textOf(part), part.location, marks), filling, depth + 1) : part.bytes
    const encoded = Buffer.from(content).toString('base64')
    room.bytes -= encoded.length
    if (room.bytes < 0) throw new Refusal('limit_exceeded', 'The page would be too large as one HTML file.')
    return `data:${part.type}${isStyle ? ';charset=utf-8' : ''};base64,${encoded}`
  })
}
