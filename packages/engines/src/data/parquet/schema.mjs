// @ts-check
import { leafOf } from './leaf-text.mjs'
import { beyond, damaged } from './refusal.mjs'

/**
 * @typedef {import('hyparquet').SchemaElement} SchemaElement
 * @typedef {{ path: string[], isFlat: boolean }} Leaf a column without children
 * @typedef {{ name: string, key: string, isRepeated: boolean, children: Node[], element: SchemaElement } & (
 *   { kind: 'leaf', leaf: import('./leaf-text.mjs').Leaf } | { kind: 'struct' } | { kind: 'list', item: Node, through?: string } |
 *   { kind: 'map', entry: Node } | { kind: 'variant' })} Node
 *   `name` is what the file calls it, `key` is what the library does
 */

/**
 * The tree of a file's columns. The names in the metadata are replaced by names of ours, because the library puts them
 * into paths and objects, and the types of values are taken out, because it would make numbers and dates of them that
 * lose digits.
 * @param {SchemaElement[]} schema
 * @param {{ columns: number, depth: number }} limits
 * @returns {{ columns: Node[], leaves: Leaf[] }} the columns, and the path to each of their leaves
 */
export function readSchema(schema, limits) {
  /** @type {Leaf[]} */
  const leaves = []
  let next = 0

  /** @param {string[]} path @param {boolean} isVariant @returns {Node} */
  const readNode = (path, isVariant) => {
    if (path.length > limits.depth) throw beyond(`Columns are nested more than ${limits.depth} levels deep`)
    const place = next++
    const element = schema[place]
    if (element === undefined) throw damaged('the schema ends too early')
    const original = { ...element }
    const key = isVariant ? element.name : `c${place}`
    element.name = key
    const own = place === 0 ? [] : [...path, key]
    const isInner = isVariant || element.logical_type?.type === 'VARIANT'
    const children = Array.from({ length: countOf(element, schema.length) }, () => readNode(own, isInner))
    if (children.length === 0 && place > 0) {
      leaves.push({ path: own, isFlat: own.length === 1 && element.repetition_type !== 'REPEATED' })
      if (leaves.length > limits.columns) throw beyond(`The table has more than ${limits.columns} columns`)
    }
    return nodeOf({ original, element, key, children, isVariant })
  }

  const root = readNode([], false)
  if (next !== schema.length || root.children.length === 0) throw damaged('the schema is no tree')
  return { columns: root.children, leaves }
}

/** @param {SchemaElement} element @param {number} most */
function countOf({ num_children: count = 0 }, most) {
  if (count < 0 || count > most) throw damaged(`an element with ${count} children`)
  return count
}

/** @param {{ original: SchemaElement, element: SchemaElement, key: string, children: Node[], isVariant: boolean }} found @returns {Node} */
function nodeOf({ original, element, key, children, isVariant }) {
  const common = { name: original.name, key, isRepeated: original.repetition_type === 'REPEATED', children, element }
  if (children.length === 0) {
    const node = /** @type {const} */ ({ ...common, kind: 'leaf', leaf: leafOf(original) })
    if (!isVariant) withoutTypes(element)
    return node
  }
  if (isVariant) return { ...common, kind: 'struct' }
  if (original.logical_type?.type === 'VARIANT') return { ...common, kind: 'variant' }
  const [first] = children
  const isNested = children.length === 1 && first?.isRepeated
  const type = original.logical_type?.type ?? original.converted_type
  withoutTypes(element)
  if (isNested && first && type === 'LIST') return listOf(common, first)
  // As a list of entries none is lost where keys repeat, and no key becomes a name in an object.
  if (isNested && first && [1, 2].includes(first.children.length) && /^MAP/.test(type ?? '')) {
    return { ...common, kind: 'map', entry: first }
  }
  return { ...common, kind: 'struct' }
}

/** @param {Omit<Node, 'kind'>} common @param {Node} first @returns {Node} */
function listOf(common, first) {
  const isOld = first.children.length > 1
  // Repeated elements of several fields are the items themselves.
  if (isOld) return { ...common, kind: 'list', item: { ...first, isRepeated: false }, through: first.key }
  common.element.converted_type = 'LIST'
  return { ...common, kind: 'list', item: first.children[0] ?? { ...first, isRepeated: false } }
}

/** @param {SchemaElement} element */
function withoutTypes(element) {
  delete element.converted_type
  delete element.logical_type
}
