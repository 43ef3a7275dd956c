// @ts-check
import { Digits } from './json-rows.mjs'

/**
 * @typedef {'empty' | 'boolean' | 'integer' | 'double' | 'json' | 'text'} Kind
 * @typedef {{ kind: Kind, isMixed: boolean, long: number, lossy: number, nested: number }} Column
 */

const leastInt64 = -(2n ** 63n)
const mostInt64 = 2n ** 63n - 1n

/** @returns {Column} */
export const newColumn = () => ({ kind: 'empty', isMixed: false, long: 0, lossy: 0, nested: 0 })

/** Widens the type of a column so that it holds one more value. @param {Column} column @param {unknown} value */
export function widen(column, value) {
  if (value === null || value === undefined) return
  const kind = kindOf(value)
  if (kind === 'integer' && !isInt64(value)) column.long += 1
  if (kind === 'json') column.nested += 1
  if ((kind === 'double' || kind === 'integer') && isLossy(value)) column.lossy += 1
  if (column.kind === 'empty') column.kind = kind
  else if (column.kind !== kind) widenTo(column, kind)
}

/** @param {Column} column @param {Kind} kind */
function widenTo(column, kind) {
  const isNumber = ['integer', 'double'].includes(column.kind) && ['integer', 'double'].includes(kind)
  if (isNumber) column.kind = 'double'
  else {
    column.isMixed = true
    column.kind = 'text'
  }
}

/** @param {unknown} value @returns {Kind} */
function kindOf(value) {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return 'text'
  if (value instanceof Digits) return /^-?\d+$/.test(value.text) && value.text !== '-0' ? 'integer' : 'double'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'double'
  return Array.isArray(value) ? 'json' : 'double'
}

/** @param {unknown} value */
function isInt64(value) {
  if (!(value instanceof Digits)) return true
  if (value.text.length > 20) return false
  const number = BigInt(value.text)
  return number >= leastInt64 && number <= mostInt64
}

/** @param {unknown} value */
function isLossy(value) {
  if (!(value instanceof Digits)) return false
  const digits = digitsOf(value.text)
  if (digits.length <= 15) return false
  return digits.length > 17 || digitsOf(String(Number(value.text))) !== digits
}

/** The digits of a number that can get lost: the zeros around them cannot. @param {string} number */
function digitsOf(number) {
  const [mantissa = ''] = number.toLowerCase().split('e')
  const digits = mantissa.replace(/[-.]/g, '')
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start += 1
  while (end > start && digits[end - 1] === '0') end -= 1
  return digits.slice(start, end)
}

/** How the column is stored: whole numbers beyond 64 bits only as text. @param {Column} column @returns {Exclude<Kind, 'empty'>} */
export function storedAs({ kind, long }) {
  if (kind === 'empty') return 'text'
  return kind === 'integer' && long > 0 ? 'text' : kind
}

/** @type {Record<Exclude<Kind, 'empty'>, Omit<import('hyparquet').SchemaElement, 'name'>>} */
const elements = {
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  json: { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
}

/** @param {string} name @param {Exclude<Kind, 'empty'>} kind @returns {import('hyparquet').SchemaElement} */
export function elementOf(name, kind) {
  return { name, repetition_type: 'OPTIONAL', ...elements[kind] }
}

/** A value as the type of its column wants it. @param {Exclude<Kind, 'empty'>} kind @param {unknown} value */
export function stored(kind, value) {
  if (value === null || value === undefined) return null
  if (kind === 'boolean') return value
  const text = textOf(value)
  if (kind === 'integer') return BigInt(text)
  if (kind === 'double') return Number(text)
  // The library would write JSON anew, with the digits that JavaScript keeps.
  return kind === 'json' ? new TextEncoder().encode(text) : text
}

/** @param {unknown} value */
function textOf(value) {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return String(value[0])
  return typeof value === 'object' && value !== null && 'special' in value ? String(value.special) : String(value)
}
