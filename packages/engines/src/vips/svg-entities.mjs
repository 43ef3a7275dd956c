// @ts-check

/** How deep an entity may hold another: drawing programs write one level. */
const maxDepth = 8
/** The most entities that are kept: Illustrator declares about twenty. */
const maxEntities = 1000

/** What a reference counts for besides its text: nested, there may be billions that stand for nothing. */
export const referenceBytes = 16

const predefined = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])

/**
 * The text of an XML document without its document type. Entities declared inside it are put in their places; those
 * that name a file or an address are left empty, and nothing is ever fetched. Gives undefined where the result would
 * be longer than `limit`.
 * @param {string} text
 * @param {number} limit
 * @returns {string | undefined}
 */
export function withoutDoctype(text, limit) {
  const start = findDoctype(text)
  if (start === -1) return text
  const { subset, end } = readDoctype(text, start)
  const rest = text.slice(0, start) + text.slice(end)
  const entities = readEntities(subset)
  return expand(rest, { entities, depth: 0, budget: { left: limit } })
}

/**
 * Where a document type stands: only before the first element, past declarations and comments.
 * @param {string} text
 */
function findDoctype(text) {
  let at = text.indexOf('<')
  while (at !== -1) {
    if (text.startsWith('<!--', at)) at = text.indexOf('-->', at + 4)
    else if (text.startsWith('<?', at)) at = text.indexOf('?>', at + 2)
    else return /^<!doctype/i.test(text.slice(at, at + 9)) ? at : -1
    if (at !== -1) at = text.indexOf('<', at)
  }
  return -1
}

/**
 * The declarations in a document type's brackets, and where it ends.
 * @param {string} text
 * @param {number} start
 */
function readDoctype(text, start) {
  const open = skipTo(text, start, '[>')
  if (text[open] !== '[') return { subset: '', end: open + 1 }
  const close = skipTo(text, open + 1, ']')
  return { subset: text.slice(open + 1, close), end: skipTo(text, close, '>') + 1 }
}

/**
 * The place of the first of some marks outside quotes and comments; the end of the text where there is none.
 * @param {string} text
 * @param {number} from
 * @param {string} marks
 */
function skipTo(text, from, marks) {
  let at = from
  while (at < text.length) {
    const mark = text.charAt(at)
    if (marks.includes(mark)) return at
    if (mark === '"' || mark === "'") at = past(text, mark, at + 1)
    else if (text.startsWith('<!--', at)) at = past(text, '-->', at + 4)
    else at++
  }
  return text.length
}

/** @param {string} text @param {string} mark @param {number} from */
function past(text, mark, from) {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

/** @param {string} subset */
function readEntities(subset) {
  /** @type {Map<string, string>} */
  const entities = new Map()
  const declaration = /<!ENTITY\s{1,64}([\w:.-]{1,64})\s{1,64}(?:"([^"]*)"|'([^']*)')/g
  for (const [, name = '', double, single] of withoutComments(subset).matchAll(declaration)) {
    // The first declaration of a name counts.
    if (!entities.has(name)) entities.set(name, double ?? single ?? '')
    if (entities.size === maxEntities) break
  }
  return entities
}

/** @param {string} subset */
function withoutComments(subset) {
  /** @type {string[]} */
  const parts = []
  let from = 0
  for (let at = subset.indexOf('<!--'); at !== -1; at = subset.indexOf('<!--', from)) {
    parts.push(subset.slice(from, at))
    const end = subset.indexOf('-->', at + 4)
    if (end === -1) return parts.join('')
    from = end + 3
  }
  return parts.join('') + subset.slice(from)
}

/**
 * @param {string} text
 * @param {{ entities: Map<string, string>, depth: number, budget: { left: number } }} how
 * @returns {string | undefined}
 */
function expand(text, { entities, depth, budget }) {
  /** @type {string[]} */
  const parts = []
  const mark = /<!\[CDATA\[|&([\w:.-]{1,64});/g
  let from = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [whole, name] = found
    if (name === undefined) {
      const end = text.indexOf(']]>', found.index)
      if (end === -1) break
      mark.lastIndex = end
      continue
    }
    if (predefined.has(name)) continue
    const value = depth < maxDepth ? (entities.get(name) ?? '') : ''
    budget.left -= value.length + referenceBytes
    if (budget.left < 0) return undefined
    const inner = value.includes('&') ? expand(value, { entities, depth: depth + 1, budget }) : value
    if (inner === undefined) return undefined
    parts.push(text.slice(from, found.index), inner)
    from = found.index + whole.length
  }
  parts.push(text.slice(from))
  return parts.join('')
}
