// @ts-check
import { Refusal } from './refusal.mjs'

/**
 * One part of an MHTML file.
 *
 * @typedef {{ type: string, charset: string | undefined, location: string, id: string, bytes: Buffer }} Part
 */

/** More than any page has; a file may hold nothing but boundaries. */
export const maxParts = 10_000

/**
 * Takes an MHTML file (RFC 2557) apart, the page itself first.
 *
 * @param {Buffer} file
 * @returns {Part[]}
 */
export function parseMhtml(file) {
  const { fields, body } = splitHeader(file)
  const boundary = parameter(fields['content-type'] ?? '', 'boundary')
  if (!boundary) throw new Refusal('input_damaged', 'The input is damaged: its parts cannot be told apart.')
  const parts = splitBody(body, boundary).map(toPart)
  const start = parameter(fields['content-type'] ?? '', 'start')
  const page = parts.find(({ id }) => start && `<${id}>` === start) ?? parts.find(({ type }) => type === 'text/html')
  if (!page) throw new Refusal('input_damaged', 'The input is damaged: it holds no page.')
  return [page, ...parts.filter((part) => part !== page)]
}

/** @param {Buffer} bytes */
function splitHeader(bytes) {
  const [unix, dos] = [bytes.indexOf('\n\n'), bytes.indexOf('\r\n\r\n')]
  const isDos = dos !== -1 && (unix === -1 || dos < unix)
  const end = isDos ? dos : unix
  if (end === -1) return { fields: {}, body: bytes }
  return { fields: parseFields(bytes.toString('latin1', 0, end)), body: bytes.subarray(end + (isDos ? 4 : 2)) }
}

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
function parseFields(text) {
  const lines = text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
  })
  return Object.fromEntries(pairs)
}

/**
 * @param {Buffer} body
 * @param {string} boundary
 * @returns {Buffer[]}
 */
function splitBody(body, boundary) {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  /** @type {Buffer[]} */
  const parts = []
  let start = -1
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    // A boundary begins a line.
    if (at > 0 && body[at - 1] !== 10) continue
    if (start !== -1) parts.push(body.subarray(start, at))
    if (parts.length > maxParts) throw new Refusal('limit_exceeded', `A page has at most ${maxParts} parts.`)
    const lineEnd = body.indexOf(10, at)
    start = lineEnd === -1 ? body.length : lineEnd + 1
    // The last one has two more dashes.
    if (body.toString('latin1', at + mark.length, at + mark.length + 2) === '--') return parts
  }
  // A file that was cut off ends with half a part.
  if (start !== -1) parts.push(body.subarray(start))
  return parts
}

/**
 * @param {Buffer} bytes
 * @returns {Part}
 */
function toPart(bytes) {
  const { fields, body } = splitHeader(bytes)
  const type = fields['content-type'] ?? 'text/plain'
  return {
    type: (type.split(';')[0] ?? '').trim().toLowerCase(),
    charset: parameter(type, 'charset'),
    location: fields['content-location'] ?? '',
    id: (fields['content-id'] ?? '').replaceAll(/[<>]/g, ''),
    bytes: decode(body, (fields['content-transfer-encoding'] ?? '').toLowerCase()),
  }
}

/**
 * @param {Buffer} body
 * @param {string} encoding
 */
function decode(body, encoding) {
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64')
  if (encoding !== 'quoted-printable') return body
  const text = body.toString('latin1').replaceAll(/=[ \t]*\r?\n/g, '')
  const plain = text.replaceAll(/=([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/**
 * @param {string} value
 * @param {string} name
 */
function parameter(value, name) {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(value)
  return found?.[1] ?? found?.[2]
}

/**
 * The text of a part, by the character set it names outside or inside.
 *
 * @param {Part} part
 */
export function textOf({ bytes, charset }) {
  const inside = /charset\s*=\s*["']?([\w-]{1,40})/i.exec(bytes.toString('latin1', 0, 2048))?.[1]
  const declared = /^@charset "([\w-]{1,40})"/.exec(bytes.toString('latin1', 0, 64))?.[1]
  try {
    return new TextDecoder(charset ?? declared ?? inside ?? 'utf-8').decode(bytes)
  } catch {
    // A character set nobody knows.
    return new TextDecoder().decode(bytes)
  }
}
