// @ts-check
import { svgTags } from './svg-tags.mjs'

/**
 * Removes the targets of links, so that the PDF contains no URLs of the drawing. Cairo 1.18 also fails on links ("Tag error").
 * @param {string} text
 */
export function withoutLinks(text) {
  /** @type {string[]} */
  const parts = []
  let done = 0
  for (const { start, end, isClosing } of svgTags(text)) {
    const tag = text.slice(start, end)
    if (isClosing || !/^<(?:[\w-]{1,32}:)?a[\s/>]/.test(tag)) continue
    parts.push(
      text.slice(done, start),
      tag.replaceAll(/\s(?:[\w-]{1,32}:)?href\s{0,8}=\s{0,8}(?:"[^"]*"|'[^']*')/g, ''),
    )
    done = end
  }
  return parts.join('') + text.slice(done)
}
