// @ts-check
import { svgTags } from './svg-tags.mjs'

/**
 * How many elements of a drawing lie in one another at the most: readers follow each level with a call of their own, so
 * that a deep drawing takes their stack before anything is drawn.
 * @param {string} text
 */
export function svgDepth(text) {
  let depth = 0
  let deepest = 0
  for (const { isClosing, isEmpty } of svgTags(text)) {
    if (isClosing) depth = Math.max(0, depth - 1)
    else {
      deepest = Math.max(deepest, depth + 1)
      if (!isEmpty) depth += 1
    }
  }
  return deepest
}
