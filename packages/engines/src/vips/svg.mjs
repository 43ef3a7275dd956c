// @ts-check
import { readFile, stat } from 'node:fs/promises'
import { beyond, Refusal } from './refusal.mjs'
import { svgDepth } from './svg-depth.mjs'
import { withoutDoctype } from './svg-entities.mjs'
import { withNamespaces } from './svg-namespaces.mjs'
import { withPixelLengths } from './svg-units.mjs'

/** The longest side of a drawing in pixels: Cairo, which draws it, has no larger images. */
export const drawnSide = 32_767

/** The largest width or height a drawing may claim: beyond it librsvg's numbers wrap around. */
const maxSide = 1_000_000

/**
 * Reads a drawing whole and takes out what could reach beyond it. It is then rendered from memory: without a
 * base address librsvg resolves no reference to another file, and `data:` is all that is left.
 * @param {{ path: string }} input
 * @param {{ svgBytes: number, svgDepth: number }} limits
 */
export async function readSvg({ path }, limits) {
  const { size } = await stat(path)
  if (size > limits.svgBytes) throw beyond('bytes of SVG', size, limits.svgBytes)
  const given = decodeText(await readFile(path))
  const whole = withoutDoctype(given, limits.svgBytes)
  if (whole === undefined) throw beyond('bytes of SVG with its entities', limits.svgBytes + 1, limits.svgBytes)
  const text = withPixelLengths(whole)
  const depth = svgDepth(text)
  if (depth > limits.svgDepth) throw beyond('elements in one another', depth, limits.svgDepth)
  checkSize(text)
  return Buffer.from(withNamespaces(text))
}

/**
 * The drawing as text, without a word about its encoding: it goes on as UTF-8.
 * @param {Buffer} bytes
 */
function decodeText(bytes) {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  const end = text.startsWith('<?xml') ? text.indexOf('?>') : 0
  const declaration = text.slice(0, end).replace(/\sencoding\s{0,8}=\s{0,8}(?:"[^"]{0,64}"|'[^']{0,64}')/, '')
  return declaration + text.slice(end)
}

/** @param {Buffer} bytes */
function encodingOf(bytes) {
  const start = bytes.subarray(0, 4).toString('latin1')
  if (start.startsWith('\xff\xfe') || start === '<\0?\0' || start === '<\0s\0') return 'utf-16le'
  if (start.startsWith('\xfe\xff') || start === '\0<\0?' || start === '\0<\0s') return 'utf-16be'
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8'
  const head = bytes.subarray(0, 512).toString('latin1')
  const declared = /^\s{0,64}<\?xml[^>]{0,256}?\sencoding\s{0,8}=\s{0,8}["']([\w.:-]{1,32})["']/i.exec(head)?.[1]
  // A file in bytes cannot be in UTF-16, whatever it claims.
  if (declared === undefined || /^utf-?16/i.test(declared)) return 'utf-8'
  try {
    return new TextDecoder(declared).encoding
  } catch {
    throw new Refusal('unsupported', 'The SVG is in an encoding that is not read. Save it as UTF-8.')
  }
}

/** @param {string} text */
function checkSize(text) {
  const start = text.search(/<([\w-]{1,32}:)?svg[\s>/]/)
  const tag = start === -1 ? '' : text.slice(start, Math.min(text.indexOf('>', start), start + 8192))
  const plain = tag.replaceAll(/\s+/g, ' ')
  for (const [, side = ''] of plain.matchAll(/ (?:width|height) ?= ?["'] ?([\d.e+]{1,32})/gi)) {
    if (Number.parseFloat(side) > maxSide) throw beyond('pixels a side', Number.parseFloat(side), maxSide)
  }
}
