// @ts-check
import { closeSync, openSync, writeSync } from 'node:fs'
import { beyond } from './refusal.mjs'

/** @typedef {import('./schema.mjs').Node} Node */

const flushAt = 1024 ** 2

/** A text file that is written in pieces and does not grow past its limit. */
export class Output {
  /** @param {string} path @param {number} most */
  constructor(path, most) {
    this.fd = openSync(path, 'wx')
    this.most = most
    this.bytes = 0
    this.text = ''
  }

  /** @param {string} piece */
  put(piece) {
    this.text += piece
    if (this.text.length >= flushAt) this.flush()
  }

  flush() {
    const bytes = Buffer.from(this.text)
    this.text = ''
    this.bytes += bytes.length
    if (this.bytes > this.most) throw beyond(`The output is larger than ${this.most / 1024 ** 2} MiB`)
    for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at)
  }

  close() {
    closeSync(this.fd)
  }
}

const jsonString = JSON.stringify
const special = /^(NaN|-?Infinity)$/

/** Writes values as JSON, and counts what becomes something else. */
export class JsonWriter {
  /** @param {(piece: string) => void} put @param {number} indent */
  constructor(put, indent) {
    this.put = put
    this.indent = indent
    this.special = 0
  }

  /** @param {number} level */
  line(level) {
    return this.indent > 0 ? `\n${' '.repeat(this.indent * level)}` : ''
  }

  /** @param {Node} node @param {any} value @param {number} level */
  write(node, value, level) {
    if (node.isRepeated)
      return this.list(value ?? [], level, (one, inner) => this.write({ ...node, isRepeated: false }, one, inner))
    if (value === null || value === undefined) return this.put('null')
    switch (node.kind) {
      case 'leaf':
        return this.leaf(node.leaf, value)
      case 'list':
        return this.list(node.through ? value[node.through] : value, level, (one, inner) =>
          this.write(node.item, one, inner),
        )
      case 'map':
        return this.map(node.entry, value[node.entry.key], level)
      case 'variant':
        return this.any(value, level)
      default:
        return this.object(
          node.children.map((child) => [child.name, (inner) => this.write(child, value[child.key], inner)]),
          level,
        )
    }
  }

  /** @param {import('./leaf-text.mjs').Leaf} leaf @param {unknown} value */
  leaf(leaf, value) {
    const text = leaf.text(value)
    if (leaf.isJson && isJson(text)) this.put(text.replace(/[\r\n\t]+/g, ' '))
    else if (leaf.isText) this.put(jsonString(text))
    else this.number(text)
  }

  /** @param {string} text */
  number(text) {
    const isSpecial = special.test(text)
    if (isSpecial) this.special += 1
    this.put(isSpecial ? 'null' : text)
  }

  /** @param {Node} entry @param {any[]} entries @param {number} level */
  map({ children: [key, item] }, entries = [], level) {
    if (key === undefined) return this.put('{}')
    const pairs = entries.map((one) => {
      /** @type {[string, (level: number) => void]} */
      const pair = [
        this.keyOf(key, one?.[key.key]),
        (inner) => (item ? this.write(item, one?.[item.key], inner) : this.put('null')),
      ]
      return pair
    })
    this.object(pairs, level)
  }

  /** Keys are text in JSON, whatever they are in Parquet. @param {Node} node @param {unknown} value */
  keyOf(node, value) {
    if (node.kind === 'leaf') return value === null || value === undefined ? 'null' : node.leaf.text(value)
    let text = ''
    new JsonWriter((piece) => (text += piece), 0).write(node, value, 0)
    return text
  }

  /** @param {any[]} items @param {number} level @param {(item: any, level: number) => void} each */
  list(items, level, each) {
    if (!items?.length) return this.put('[]')
    this.put('[')
    for (const [n, item] of items.entries()) {
      this.put(`${this.comma(n)}${this.line(level + 1)}`)
      each(item, level + 1)
    }
    this.put(`${this.line(level)}]`)
  }

  /** @param {[string, (level: number) => void][]} pairs @param {number} level */
  object(pairs, level) {
    if (pairs.length === 0) return this.put('{}')
    this.put('{')
    for (const [n, [key, each]] of pairs.entries()) {
      this.put(`${this.comma(n)}${this.line(level + 1)}${jsonString(key)}: `)
      each(level + 1)
    }
    this.put(`${this.line(level)}}`)
  }

  /** @param {number} n */
  comma(n) {
    return n === 0 ? '' : this.indent > 0 ? ',' : ', '
  }

  /** A value of no known type, as variants hold them. @param {any} value @param {number} level */
  any(value, level) {
    if (value === null || value === undefined) this.put('null')
    else if (typeof value === 'string') this.put(jsonString(value))
    else if (value instanceof Uint8Array) this.put(jsonString(Buffer.from(value).toString('base64')))
    else if (value instanceof Date) this.put(jsonString(value.toISOString()))
    else if (Array.isArray(value)) this.list(value, level, (one, inner) => this.any(one, inner))
    else if (typeof value !== 'object') this.number(String(value))
    else
      this.object(
        Object.entries(value).map(([key, one]) => [key, (inner) => this.any(one, inner)]),
        level,
      )
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
