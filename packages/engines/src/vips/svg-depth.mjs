// @ts-check

/**
 * How many elements of a drawing lie in one another at the most. Reads tags alone and in one pass: readers follow
 * each level with a call of their own, so that a deep drawing takes their stack before anything is drawn.
 * @param {string} text
 */
export function svgDepth(text) {
  let depth = 0
  let deepest = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4)
    else if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at + 9)
    else if (text[at + 1] === '?' || text[at + 1] === '!') at = after(text, '>', at + 2)
    else if (text[at + 1] === '/') {
      depth = Math.max(0, depth - 1)
      at = after(text, '>', at + 2)
    } else {
      const end = tagEnd(text, at + 1)
      deepest = Math.max(deepest, depth + 1)
      if (text[end - 1] !== '/') depth += 1
      at = end + 1
    }
  }
  return deepest
}

/**
 * The place behind a mark; behind everything if there is none.
 * @param {string} text
 * @param {string} mark
 * @param {number} from
 */
function after(text, mark, from) {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

/**
 * Where a tag closes. A `>` within quotes does not close it.
 * @param {string} text
 * @param {number} from
 */
function tagEnd(text, from) {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const mark = text[at] ?? ''
    if (quote !== '') {
      if (mark === quote) quote = ''
    } else if (mark === '>') return at
    else if (mark === '"' || mark === "'") quote = mark
  }
  return text.length
}
