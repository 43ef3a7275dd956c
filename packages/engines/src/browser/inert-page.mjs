// @ts-check

/**
 * @typedef {{ text: string, location: string }} Page
 * @typedef {{ pages: Page[], marks: Record<string, string>, frames: Record<string, number> }} Given
 */

/**
 * Makes a page inert and puts marks where its parts go. It runs in the browser, as text, and may use nothing outside.
 * Documents are parsed, never shown, so nothing in them is run or fetched. The policy at their head says so once more,
 * for whatever this hand has missed.
 *
 * @param {Given} given the page itself first, then what stands in its frames
 * @param {typeof import('./inert-css.mjs').inertCss} inertCss
 * @returns {string}
 */
export function makeInert({ pages, marks, frames }, inertCss) {
  const policy = "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline' data:"
  const active = 'script, noscript, base, object, embed, applet, portal, template, meta[http-equiv], meta[charset]'
  const dropped = new Set(['srcset', 'imagesrcset', 'ping', 'srcdoc', 'background', 'integrity', 'nonce', 'action'])
  const sources = new Set(['src', 'poster'])
  const links = new Set(['href', 'xlink:href', 'formaction'])
  const maxDepth = 5

  const resolve = (/** @type {string} */ url, /** @type {string} */ base) => URL.parse(url, base)?.href ?? url

  /** @param {Element} element @param {string} base */
  const tame = (element, base) => {
    for (const { name, value } of [...element.attributes]) {
      const lower = name.toLowerCase()
      if (lower.startsWith('on') || dropped.has(lower)) element.removeAttribute(name)
      else if (lower === 'style') element.setAttribute(name, inertCss(value, base, marks))
      else if (sources.has(lower)) setOrDrop(element, name, sourceFor(value, base))
      else if (links.has(lower)) setOrDrop(element, name, linkFor(element, value, base))
    }
  }

  /** @param {Element} element @param {string} name @param {string | undefined} value */
  const setOrDrop = (element, name, value) => {
    if (value === undefined) element.removeAttribute(name)
    else element.setAttribute(name, value)
  }

  /** @param {string} value @param {string} base */
  const sourceFor = (value, base) => (/^data:(image|audio|video)\//i.test(value) ? value : marks[resolve(value, base)])

  // References of a drawing within itself, and a reader's own way to another page, are all that may lead anywhere.
  /** @param {Element} element @param {string} value @param {string} base */
  const linkFor = (element, value, base) => {
    if (value.startsWith('#')) return value
    const url = resolve(value, base)
    if (!['a', 'area'].includes(element.localName)) return marks[url]
    return /^(https?|mailto|tel):/i.test(url) ? url : undefined
  }

  /** @param {Element} frame @param {string} url @param {number} depth */
  const fillFrame = (frame, url, depth) => {
    const page = pages[frames[url] ?? -1]
    frame.setAttribute('sandbox', '')
    if (page && depth < maxDepth) frame.setAttribute('srcdoc', inert(page, depth + 1))
  }

  /** @param {Page} page @param {number} depth @returns {string} */
  const inert = ({ text, location }, depth) => {
    const page = new DOMParser().parseFromString(text, 'text/html')
    for (const element of page.querySelectorAll(active)) element.remove()
    for (const link of page.querySelectorAll('link')) if (!/\bstylesheet\b/i.test(link.rel)) link.remove()
    for (const style of page.querySelectorAll('style')) {
      style.textContent = inertCss(style.textContent ?? '', location, marks)
    }
    for (const element of page.querySelectorAll('*')) {
      const source = resolve(element.getAttribute('src') ?? '', location)
      tame(element, location)
      if (['iframe', 'frame'].includes(element.localName)) fillFrame(element, source, depth)
    }
    page.head.prepend(
      metaOf(page, { charset: 'utf-8' }),
      metaOf(page, { 'http-equiv': 'Content-Security-Policy', content: policy }),
    )
    return `<!DOCTYPE html>\n${page.documentElement.outerHTML}\n`
  }

  /** @param {Document} page @param {Record<string, string>} attributes */
  const metaOf = (page, attributes) => {
    const meta = page.createElement('meta')
    for (const [name, value] of Object.entries(attributes)) meta.setAttribute(name, value)
    return meta
  }

  const [first] = pages
  return first ? inert(first, 0) : ''
}
