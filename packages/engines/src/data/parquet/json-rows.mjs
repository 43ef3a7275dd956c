// @ts-check
import { closeSync, openSync, readSync } from 'node:fs'

/** A number as it was written, where a floating-point number would lose digits of it. */
export class Digits {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }
}

const blockBytes = 1024 ** 2
const newline = 10

/**
 * The rows of a grid, which is a file of JSON Lines: the names of the columns, then the cells of each row. A list and an
 * object is a list that holds its JSON, so that its numbers and keys stay as they are; an object holds a number that JSON
 * does not have. A line may hold U+2028, which the line reader of Node takes for an end.
 * @param {string} path
 * @returns {Generator<{ row: unknown[], bytes: number }>}
 */
export function* rowsOf(path) {
  const fd = openSync(path, 'r')
  try {
    /** @type {Buffer[]} */
    let kept = []
    for (;;) {
      const block = Buffer.allocUnsafe(blockBytes)
      const size = readSync(fd, block)
      if (size === 0) break
      let start = 0
      for (let end = block.indexOf(newline); end >= 0 && end < size; end = block.indexOf(newline, start)) {
        const line = Buffer.concat([...kept, block.subarray(start, end)])
        kept = []
        start = end + 1
        if (line.length > 0) yield { row: parse(line.toString()), bytes: line.length }
      }
      if (start < size) kept.push(block.subarray(start, size))
    }
    const last = Buffer.concat(kept)
    if (last.length > 0) yield { row: parse(last.toString()), bytes: last.length }
  } finally {
    closeSync(fd)
  }
}

// Reading each number by itself takes several times as long.
const mayLoseDigits = /\d[\d.]{15}|\d\.\d{0,13}0\b|[\d.][eE]|-0\b/

/** @param {string} line @returns {unknown[]} */
function parse(line) {
  return mayLoseDigits.test(line) ? JSON.parse(line, keepDigits) : JSON.parse(line)
}

/** @param {string} _key @param {unknown} value @param {{ source?: string }} [context] */
function keepDigits(_key, value, context) {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && String(value) !== source ? new Digits(source) : value
}
