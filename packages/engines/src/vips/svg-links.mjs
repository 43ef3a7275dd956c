// @ts-check
import { svgTags } from './svg-tags.mjs'

/**
 * A drawing whose links lead nowhere: no address of it can be opened from the result. Cairo 1.18 writes no PDF at all of a
 * drawing with a link ("Tag error").
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
