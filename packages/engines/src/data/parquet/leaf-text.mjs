// @ts-check
import { isoDate, isoInterval, isoTime, isoTimestamp } from './iso-time.mjs'
import { damaged } from './refusal.mjs'

/**
 * @typedef {import('hyparquet').SchemaElement} SchemaElement
 * @typedef {{ isText: boolean, isJson?: boolean, text: (raw: any) => string }} Leaf a value as text; numbers and booleans need no quotes in JSON
 */

const units = /** @type {Record<string, bigint>} */ ({ MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n })
// Of 38 digits in practice; the time to write a number grows with the square of its digits.
const mostDecimalBytes = 128
const mostScale = 1000

/**
 * How the values of a column become text, from what they are in the file: no digit passes through a floating-point number
 * that cannot hold it.
 * @param {SchemaElement} element
 * @returns {Leaf}
 */
export function leafOf(element) {
  const { type, converted_type: converted = '', logical_type: logical } = element
  const kind = logical?.type ?? ''
  if (kind === 'DECIMAL' || converted === 'DECIMAL') return decimal(element)
  if (kind === 'DATE' || converted === 'DATE') return words((days) => isoDate(BigInt(days)))
  if (logical?.type === 'TIME') return time(units[logical.unit])
  if (logical?.type === 'TIMESTAMP') return timestamp(units[logical.unit], logical.isAdjustedToUTC)
  const old = /^TIME(STAMP)?_(MILLIS|MICROS)$/.exec(converted)
  if (old) return old[1] ? timestamp(units[old[2] ?? ''], true) : time(units[old[2] ?? ''])
  if (type === 'INT32' || type === 'INT64') return integer(element)
  if (type === 'BOOLEAN') return { isText: false, text: String }
  if (type === 'FLOAT') return { isText: false, text: singleText }
  if (type === 'DOUBLE') return { isText: false, text: doubleText }
  // The library hands these over as text.
  if (type === 'INT96') return words(String)
  return ofBytes(kind, converted)
}

/** @param {(raw: any) => string} text @returns {Leaf} */
const words = (text) => ({ isText: true, text })

/** @param {bigint | undefined} unit */
const time = (unit = 1000n) => words((raw) => isoTime(BigInt(raw), unit))

/** @param {bigint | undefined} unit @param {boolean} isUtc */
const timestamp = (unit = 1000n, isUtc) => words((raw) => isoTimestamp(BigInt(raw), unit) + (isUtc ? 'Z' : ''))

/** @param {SchemaElement} element @returns {Leaf} */
function integer({ type, converted_type: converted = '', logical_type: logical }) {
  const isUnsigned = converted.startsWith('UINT_') || (logical?.type === 'INTEGER' && !logical.isSigned)
  if (!isUnsigned) return { isText: false, text: String }
  if (type === 'INT64') return { isText: false, text: (raw) => String(BigInt.asUintN(64, BigInt(raw))) }
  return { isText: false, text: (raw) => String(raw >>> 0) }
}

/** @param {SchemaElement} element @returns {Leaf} */
function decimal({ scale: old, logical_type: logical }) {
  const scale = (logical?.type === 'DECIMAL' ? logical.scale : old) ?? 0
  if (scale < 0 || scale > mostScale) throw damaged(`a decimal of scale ${scale}`)
  return { isText: false, text: (raw) => withPoint(raw instanceof Uint8Array ? unscaled(raw) : BigInt(raw), scale) }
}

/** @param {Uint8Array} bytes */
function unscaled(bytes) {
  if (bytes.length > mostDecimalBytes) throw damaged(`a decimal of ${bytes.length} bytes`)
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

/** @param {bigint} value @param {number} scale */
function withPoint(value, scale) {
  if (scale === 0) return String(value)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** @param {number} value */
const doubleText = (value) => (Object.is(value, -0) ? '-0' : String(value))

/** The shortest digits that are this number in 32 bits: 0.1, not 0.10000000149011612. @param {number} value */
function singleText(value) {
  if (!Number.isInteger(value) && Number.isFinite(value)) {
    for (let digits = 6; digits <= 9; digits++) {
      const short = Number(value.toPrecision(digits))
      if (Math.fround(short) === value) return String(short)
    }
  }
  return doubleText(value)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { ignoreBOM: true })

/** @param {string} kind @param {string} converted @returns {Leaf} */
function ofBytes(kind, converted) {
  if (kind === 'FLOAT16') return { isText: false, text: halfText }
  if (kind === 'UUID') return words(uuidText)
  if (converted === 'INTERVAL') return words((raw) => (raw.length === 12 ? isoInterval(raw) : binaryText(raw)))
  if (kind === 'STRING' || kind === 'ENUM' || converted === 'UTF8' || converted === 'ENUM') {
    return words((raw) => loose.decode(raw))
  }
  if (kind === 'JSON' || converted === 'JSON') return { isText: true, isJson: true, text: (raw) => loose.decode(raw) }
  return words(binaryText)
}

/** Text where the bytes are UTF-8, as many writers leave it out that they are; otherwise Base64. @param {Uint8Array} raw */
function binaryText(raw) {
  try {
    return utf8.decode(raw)
  } catch {
    return Buffer.from(raw).toString('base64')
  }
}

/** @param {Uint8Array} raw */
function uuidText(raw) {
  return Buffer.from(raw)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** @param {Uint8Array} raw */
function halfText(raw) {
  const bits = (raw[0] ?? 0) | ((raw[1] ?? 0) << 8)
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return doubleText(fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY)
  const value = exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024)
  return doubleText(Number((sign * value).toPrecision(5)))
}
