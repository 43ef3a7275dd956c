// @ts-check
import { readFile, stat } from 'node:fs/promises'
import { beyond, damaged, Refusal } from './refusal.mjs'
import { svgDepth } from './svg-depth.mjs'

/** The largest width or height a drawing may claim: beyond it librsvg's numbers wrap around. */
const maxSide = 1_000_000

/**
 * Reads a drawing whole and refuses what could reach beyond it. It is then rendered from memory: without a
 * base address librsvg resolves no reference to another file, and `data:` is all that is left.
 * @param {string} path
 * @param {{ svgBytes: number, svgDepth: number }} limits
 */
export async function readSvg(path, limits) {
  const { size } = await stat(path)
  if (size > limits.svgBytes) throw beyond('bytes of SVG', size, limits.svgBytes)
  const bytes = await readFile(path)
  // Gzip, UTF-16 and UTF-32 would hide the words looked for below.
  if (bytes.includes(0) || bytes[0] === 0x1f) throw damaged('svg', new Error('not plain text'))
  const text = bytes.toString('latin1')
  checkEncoding(text)
  // Entities make billions of characters out of a few, or read files; a document type has no other use here.
  if (/<!(doctype|entity)/i.test(text)) {
    throw new Refusal('unsupported', 'SVG with a DOCTYPE or ENTITY declaration is refused. Remove it, then try again.')
  }
  const depth = svgDepth(text)
  if (depth > limits.svgDepth) throw beyond('elements in one another', depth, limits.svgDepth)
  checkSize(text)
  return bytes
}

/** @param {string} text */
function checkEncoding(text) {
  const declaration = text.slice(0, text.indexOf('?>', 0) + 1).slice(0, 1024)
  const encoding = /encoding\s{0,8}=\s{0,8}["']([\w-]{1,32})["']/i.exec(declaration)?.[1]
  const isPlain = encoding === undefined || /^(utf-?8|us-ascii|ascii|iso-8859-1|windows-1252)$/i.test(encoding)
  if (!isPlain) throw new Refusal('unsupported', 'The SVG is in an encoding that is not read. Save it as UTF-8.')
}

/** @param {string} text */
function checkSize(text) {
  const start = text.search(/<([\w-]{1,32}:)?svg[\s>/]/)
  const tag = start === -1 ? '' : text.slice(start, Math.min(text.indexOf('>', start), start + 8192))
  for (const [, side = ''] of tag.matchAll(/\s(?:width|height)\s{0,8}=\s{0,8}["']\s{0,8}([\d.e+]{1,32})/gi)) {
    if (Number.parseFloat(side) > maxSide) throw beyond('pixels a side', Number.parseFloat(side), maxSide)
  }
}
