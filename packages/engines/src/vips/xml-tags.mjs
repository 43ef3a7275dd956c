// @ts-check

/**
 * @typedef {{ name: string, kind: 'open' | 'close' | 'empty', text: string }} Tag
 */

const [space, quote, apostrophe, greater, equals, slash] = [0x20, 0x22, 0x27, 0x3e, 0x3d, 0x2f]

/**
 * The tags of an XML part, by name without prefix. Anything with a document type is refused: no entity is ever expanded.
 * @param {string} xml
 * @returns {Generator<Tag>}
 */
export function* tagsOf(xml) {
  let at = xml.indexOf('<')
  while (at !== -1) {
    const skipped = skip(xml, at)
    if (skipped === undefined) {
      const end = endOfTag(xml, at + 1)
      yield toTag(xml.slice(at + 1, end))
      at = xml.indexOf('<', end + 1)
    } else {
      at = xml.indexOf('<', skipped)
    }
  }
}

/**
 * The attributes of a tag, by name with prefix.
 * @param {Tag} tag
 * @returns {Map<string, string>}
 */
export function attributesOf({ text }) {
  const found = new Map()
  let at = endOfName(text, 0)
  while (at < text.length) {
    if (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === slash) {
      at++
      continue
    }
    const nameEnd = endOfName(text, at)
    const start = text.indexOf('=', nameEnd)
    if (start === -1) break
    let open = start + 1
    while (isSpace(text.charCodeAt(open))) open++
    const mark = text[open]
    if (mark !== '"' && mark !== "'") break
    const close = text.indexOf(mark, open + 1)
    if (close === -1) break
    found.set(text.slice(at, nameEnd), unescaped(text.slice(open + 1, close)))
    at = close + 1
  }
  return found
}

/**
 * Bytes of an XML part as text.
 * @param {Buffer} bytes
 */
export function textOf(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) throw new Error('XML in big-endian UTF-16')
  return bytes.toString('utf8')
}

// Where to go on after what is no tag; nothing where a tag begins.
/** @param {string} xml @param {number} at */
function skip(xml, at) {
  const next = xml.charCodeAt(at + 1)
  if (next === 0x3f) return after(xml, at, '?>')
  if (next !== 0x21) return undefined
  if (xml.startsWith('<!--', at)) return after(xml, at + 4, '-->')
  if (xml.startsWith('<![CDATA[', at)) return after(xml, at, ']]>')
  throw new Error('XML with a document type')
}

/** @param {string} xml @param {number} from @param {string} mark */
function after(xml, from, mark) {
  const at = xml.indexOf(mark, from)
  if (at === -1) throw new Error('XML is cut')
  return at + mark.length
}

/** @param {string} xml @param {number} from */
function endOfTag(xml, from) {
  let open = 0
  for (let at = from; at < xml.length; at++) {
    const code = xml.charCodeAt(at)
    if (open !== 0) {
      if (code === open) open = 0
    } else if (code === quote || code === apostrophe) {
      open = code
    } else if (code === greater) {
      return at
    }
  }
  throw new Error('XML is cut')
}

/** @param {string} inner @returns {Tag} */
function toTag(inner) {
  const isClose = inner.charCodeAt(0) === slash
  const text = isClose ? inner.slice(1) : inner
  const full = text.slice(0, endOfName(text, 0))
  const kind = isClose ? 'close' : inner.charCodeAt(inner.length - 1) === slash ? 'empty' : 'open'
  return { name: full.slice(full.indexOf(':') + 1), kind, text }
}

/** @param {string} text @param {number} from */
function endOfName(text, from) {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code) || code === equals || code === slash) break
    at++
  }
  return at
}

/** @param {number} code */
function isSpace(code) {
  return code === space || code === 0x0a || code === 0x0d || code === 0x09
}

/** @type {Readonly<Record<string, string>>} */
const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** @param {string} value */
function unescaped(value) {
  if (!value.includes('&')) return value
  return value.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => named[name] ?? '')
}
