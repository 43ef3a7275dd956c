// @ts-check
import { svgTags } from './svg-tags.mjs'

/** Pixels in a unit of length, as CSS has it: an inch is 96 pixels. */
const pixelsIn = /** @type {Record<string, number>} */ ({
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
})

const length =
  /(?<=^|[\s,:;(/"'])([+-]?(?:\d{1,32}(?:\.\d{0,32})?|\.\d{1,32})(?:e[+-]?\d{1,3})?)(in|cm|mm|q|pt|pc)(?=$|[\s,;)}!/"'])/gi

// Attributes that contain lengths. In ids and text, `12pt` must not change.
const lengths = new RegExp(
  `(?<=\\s)(?:${[
    'style|font|font-size|letter-spacing|word-spacing|kerning|baseline-shift|textLength|startOffset',
    'stroke-width|stroke-dasharray|stroke-dashoffset|markerWidth|markerHeight|refX|refY',
    'width|height|x|y|x1|y1|x2|y2|dx|dy|cx|cy|r|rx|ry|fx|fy|fr',
  ].join('|')})\\s{0,8}=\\s{0,8}(?:"[^"]{1,4096}"|'[^']{1,4096}')`,
  'g',
)

/**
 * Converts all absolute lengths to pixels. libvips applies the density twice to other units: once to convert the unit, and
 * once to scale the drawing.
 * @param {string} text
 */
export function withPixelLengths(text) {
  /** @type {string[]} */
  const parts = []
  let done = 0
  let isSheet = false
  for (const { start, end, isClosing, isEmpty } of svgTags(text)) {
    const between = text.slice(done, start)
    const tag = text.slice(start, end)
    parts.push(isSheet ? inPixels(between) : between, isClosing ? tag : tag.replaceAll(lengths, inPixels))
    isSheet = !isClosing && !isEmpty && /^<(?:[\w-]{1,32}:)?style[\s>]/.test(tag)
    done = end
  }
  return parts.join('') + text.slice(done)
}

/** @param {string} text */
function inPixels(text) {
  return text.replaceAll(length, (_, size, unit) => {
    return `${Number((Number(size) * (pixelsIn[unit.toLowerCase()] ?? 1)).toFixed(3))}px`
  })
}
