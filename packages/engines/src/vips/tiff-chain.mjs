// @ts-check
import { constants, copyFile, open } from 'node:fs/promises'

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 */

/** libtiff goes through all pages before one, and libvips counts them all each time: a few are quickly counted. */
const fewPages = 16
const header = { bytes: 8, first: 4 }
const entryBytes = 12

/**
 * Opens each page of a TIFF of many pages as the only one of a copy, so that a thousand pages take a thousand times as long
 * as one. Gives a source of its own for each, to be used before the next; or the source itself where that is not needed.
 *
 * @param {Source} source
 * @param {string} copy where to put the copy
 * @returns {Promise<{ at: (page: number) => Promise<Source> } & AsyncDisposable>}
 */
export async function separatePages(source, copy) {
  const same = { at: async () => source, [Symbol.asyncDispose]: async () => {} }
  if (source.format !== 'tiff' || source.pages <= fewPages) return same
  await copyFile(source.path, copy, constants.COPYFILE_FICLONE)
  const file = await open(copy, 'r+')
  const chain = await followChain(file, source.pages)
  if (chain === undefined) {
    await file.close()
    return same
  }
  const { links, place } = chain
  /** @param {number} page */
  const at = async (page) => {
    const link = links[page]
    if (link === undefined) throw new Error(`no page ${page}`)
    await file.write(place(link.start), 0, 4, header.first)
    await file.write(place(0), 0, 4, link.next)
    return { ...source, open: (more = {}) => source.openAt(copy, { ...more, page: 0 }) }
  }
  return { at, [Symbol.asyncDispose]: () => file.close() }
}

/**
 * Where each page begins and where it names the next; undefined for what is not a plain chain of as many pages.
 *
 * @param {FileHandle} file
 * @param {number} pages
 */
async function followChain(file, pages) {
  const start = await readAt(file, 0, header.bytes)
  const isLittle = start?.toString('latin1', 0, 4) === 'II*\0'
  if (!start || (!isLittle && start.toString('latin1', 0, 4) !== 'MM\0*')) return undefined
  const long = (/** @type {Buffer} */ bytes, at = 0) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const short = (/** @type {Buffer} */ bytes) => (isLittle ? bytes.readUInt16LE() : bytes.readUInt16BE())
  const links = []
  for (let place = long(start, header.first); place !== 0; ) {
    const count = await readAt(file, place, 2)
    if (!count || links.length === pages) return undefined
    const next = place + 2 + short(count) * entryBytes
    links.push({ start: place, next })
    const following = await readAt(file, next, 4)
    if (!following) return undefined
    place = long(following)
  }
  const place = (/** @type {number} */ value) => {
    const bytes = Buffer.alloc(4)
    if (isLittle) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  return links.length === pages ? { links, place } : undefined
}

/** @param {FileHandle} file @param {number} place @param {number} bytes */
async function readAt(file, place, bytes) {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, place)
  return bytesRead === bytes ? buffer : undefined
}
