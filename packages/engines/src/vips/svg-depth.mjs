// @ts-check
import { svgTags } from './svg-tags.mjs'

/**
 * The maximum nesting depth of elements. Parsers recurse for each level, so a deep drawing overflows their stack.
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
