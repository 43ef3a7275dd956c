// @ts-check

/**
 * Yields the tags of a drawing in one pass, with their start and end offsets. Tolerates input that is truncated or not well
 * formed.
 * @param {string} text
 * @returns {Generator<{ start: number, end: number, isClosing: boolean, isEmpty: boolean }>}
 */
export function* svgTags(text) {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4)
    else if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at + 9)
    else if (text[at + 1] === '?' || text[at + 1] === '!') at = after(text, '>', at + 2)
    else {
      const isClosing = text[at + 1] === '/'
      const end = isClosing ? after(text, '>', at + 2) : afterTag(text, at + 1)
      yield { start: at, end, isClosing, isEmpty: text[end - 2] === '/' }
      at = end
    }
  }
}

/**
 * The offset after a mark, or the end of the text.
 * @param {string} text
 * @param {string} mark
 * @param {number} from
 */
function after(text, mark, from) {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

/**
 * The offset after a tag. A `>` inside quotes does not close it.
 * @param {string} text
 * @param {number} from
 */
function afterTag(text, from) {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const mark = text[at] ?? ''
    if (quote !== '') {
      if (mark === quote) quote = ''
    } else if (mark === '>') return at + 1
    else if (mark === '"' || mark === "'") quote = mark
  }
  return text.length
}
