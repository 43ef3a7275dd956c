// @ts-check
import { Refusal } from './refusal.mjs'
import { within } from './settle.mjs'
import { openWorld } from './world.mjs'

/** @typedef {import('./take.mjs').Page} Page */

const pollMs = 100
const pauseMs = 60
const sleep = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms))

/**
 * Refuses what is no CSS selector, before anybody is visited for it.
 *
 * @param {Page} page an own one, which no stranger has touched
 * @param {string} selector
 */
export async function checkSelector(page, selector) {
  const call = await openWorld(page)
  const isSelector = (/** @type {string} */ text) => {
    try {
      document.createDocumentFragment().querySelector(text)
      return true
    } catch {
      return false
    }
  }
  if (!(await call(isSelector, selector))) throw new Refusal('unsupported', 'wait_for is not a valid CSS selector.')
}

/**
 * Waits until an element matches a selector, and tells whether one did in time.
 *
 * @param {Page} page
 * @param {{ selector: string, ms: number }} wanted
 */
export async function awaitElement(page, { selector, ms }) {
  const end = performance.now() + ms
  const poll = async () => {
    const call = await openWorld(page)
    const isThere = (/** @type {string} */ text) => document.querySelector(text) !== null
    while (performance.now() < end) {
      if (await call(isThere, selector)) return true
      await sleep(pollMs)
    }
    return false
  }
  // A document that has put another in its place has lost this one's world; it is judged later.
  return (
    (await within(
      ms,
      poll().catch(() => false),
    )) === true
  )
}

/**
 * Scrolls through a page, so that it loads what it loads only when it is seen, and back to its top.
 *
 * @param {Page} page
 * @param {{ ms: number, step: number, maxHeight: number, quiet: () => Promise<void> }} how
 */
export async function scrollThrough(page, { ms, step, maxHeight, quiet }) {
  const end = performance.now() + ms
  const walk = async () => {
    const call = await openWorld(page)
    // Gives how long the page is now: it may grow on the way.
    const scrollTo = (/** @type {number} */ top) => {
      window.scrollTo({ top, left: 0, behavior: 'instant' })
      return document.scrollingElement?.scrollHeight ?? 0
    }
    let height = await call(scrollTo, 0)
    for (let top = step; top < Math.min(height, maxHeight) && performance.now() < end; top += step) {
      height = await call(scrollTo, top)
      await sleep(pauseMs)
    }
    await within(Math.max(end - performance.now(), 0), quiet())
    await call(scrollTo, 0)
  }
  // What cannot be scrolled is taken as it is.
  await within(
    ms + pollMs,
    walk().catch(() => undefined),
  )
}
