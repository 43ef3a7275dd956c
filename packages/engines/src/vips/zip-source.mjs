// @ts-check
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { beyond, damaged, Refusal } from './refusal.mjs'

/**
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 * @typedef {{ entries: number, bytes: number, ratio: number, ratioAfterBytes: number, directoryBytes: number }} ZipLimits
 * @typedef {{ name: string, rawName: Buffer, madeBy: number, version: number, flags: number, method: number, time: number,
 *   date: number, crc: number, packed: number, size: number, inner: number, outer: number, at: number, data: number }} Entry
 * @typedef {{ path: string, format: string, handle: FileHandle, entries: Entry[] }} ZipSource
 */

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 }
const large = 0xffffffff
const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** How an entry is stored: as it is, or by deflate. */
export const methods = { stored: 0, deflated: 8 }

const inflate = promisify(inflateRaw)

/**
 * Opens a ZIP package and reads its directory. Entry names stay data: nothing is ever written under them.
 * @param {{ path: string, format: string }} input
 * @param {ZipLimits} limits
 * @returns {Promise<ZipSource>}
 */
export async function openZip({ path, format }, limits) {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const first = await readAt(handle, 0, Math.min(8, size))
    if (first.equals(compound)) throw await judgeCompound(handle, format, size)
    const entries = await readDirectory(handle, { format, size, limits })
    await locate(handle, { format, size, entries })
    return { path, format, handle, entries }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * The content of an entry, or nothing where it is longer than allowed or cannot be inflated.
 * @param {ZipSource} zip
 * @param {Entry} entry
 * @param {number} most
 */
export async function readEntry({ handle }, { method, data, packed, size }, most) {
  if (packed > most || size > most) return undefined
  const raw = await readAt(handle, data, packed)
  if (method === methods.stored) return raw
  if (method !== methods.deflated) return undefined
  return inflate(raw, { maxOutputLength: most }).catch(() => undefined)
}

/** Counts what is inflated, so that a bomb is noticed while it unfolds. */
export class InflatedCount {
  /** @param {ZipLimits} limits */
  constructor(limits) {
    this.limits = limits
    this.packed = 0
    this.bytes = 0
  }

  /** @param {number} packed @param {number} bytes */
  add(packed, bytes) {
    this.packed += packed
    this.bytes += bytes
    const { bytes: most, ratio, ratioAfterBytes } = this.limits
    if (this.bytes > most) throw beyond('unpacked bytes', this.bytes, most)
    if (this.bytes > ratioAfterBytes && this.bytes > ratio * this.packed) {
      throw beyond('unpacked bytes for each packed byte', this.bytes / this.packed, ratio)
    }
  }
}

/** @param {FileHandle} handle @param {number} at @param {number} length */
export async function readAt(handle, at, length) {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, done, length - done, at + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return buffer.subarray(0, done)
}

// Office programs wrap a document that needs a password into a compound file.
/** @param {FileHandle} handle @param {string} format @param {number} size */
async function judgeCompound(handle, format, size) {
  const content = await readAt(handle, 0, Math.min(size, 64 * 1024 ** 2))
  if (content.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return encrypted()
  return damaged({ format }, new Error('a compound file'))
}

/** A document that cannot be read without its password. */
export function encrypted() {
  const text =
    'The document is protected by a password. Remove the password in the program that wrote it, then import it again.'
  return new Refusal('input_encrypted', text)
}

/** @param {FileHandle} handle @param {{ format: string, size: number, limits: ZipLimits }} file */
async function readDirectory(handle, { format, size, limits }) {
  const { start, length, count } = await findDirectory(handle, { format, size })
  if (count > limits.entries) throw beyond('files in the archive', count, limits.entries)
  if (length > limits.directoryBytes) throw beyond('bytes of the directory', length, limits.directoryBytes)
  const directory = await readAt(handle, start, length)
  /** @type {Entry[]} */
  const entries = []
  let at = 0
  while (entries.length < count) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== marks.central)
      throw cut(format, 'the directory is cut')
    const entry = readHeader(directory, at)
    if ((entry.flags & 1) !== 0) throw encrypted()
    entries.push(entry)
    at = entry.next
  }
  return entries
}

/** @param {Buffer} directory @param {number} at */
function readHeader(directory, at) {
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
  const [packed, size, offset] = [20, 24, 42].map((field) => directory.readUInt32LE(at + field))
  const nameEnd = at + 46 + (nameLength ?? 0)
  const extra = directory.subarray(nameEnd, nameEnd + (extraLength ?? 0))
  const [fullSize = 0, fullPacked = 0, fullAt = 0] = readLarge(extra, [size ?? 0, packed ?? 0, offset ?? 0])
  const rawName = directory.subarray(at + 46, nameEnd)
  return {
    name: rawName.toString('utf8').replaceAll('\\', '/'),
    rawName,
    madeBy: directory.readUInt16LE(at + 4),
    version: directory.readUInt16LE(at + 6),
    flags: directory.readUInt16LE(at + 8),
    method: directory.readUInt16LE(at + 10),
    time: directory.readUInt16LE(at + 12),
    date: directory.readUInt16LE(at + 14),
    crc: directory.readUInt32LE(at + 16),
    packed: fullPacked,
    size: fullSize,
    inner: directory.readUInt16LE(at + 36),
    outer: directory.readUInt32LE(at + 38),
    at: fullAt,
    data: 0,
    next: nameEnd + (extraLength ?? 0) + (commentLength ?? 0),
  }
}

// Sizes and offset beyond 32 bits are in an extra field, in this order, each only if needed.
/** @param {Buffer} extra @param {number[]} values */
function readLarge(extra, values) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let field = at + 4
    return values.map((value) => {
      if (value !== large || field + 8 > extra.length) return value
      field += 8
      return Number(extra.readBigUInt64LE(field - 8))
    })
  }
  return values
}

/** @param {FileHandle} handle @param {{ format: string, size: number }} file */
async function findDirectory(handle, { format, size }) {
  const tailAt = Math.max(0, size - 65_557)
  const tail = await readAt(handle, tailAt, size - tailAt)
  const end = tail.lastIndexOf('PK\x05\x06', tail.length, 'latin1')
  if (end === -1 || end + 22 > tail.length) throw cut(format, 'no end of the directory')
  const small = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    start: tail.readUInt32LE(end + 16),
  }
  const wide = end >= 20 && tail.readUInt32LE(end - 20) === marks.locator64
  if (wide) {
    const record = await readAt(handle, Number(tail.readBigUInt64LE(end - 12)), 56)
    if (record.length < 56 || record.readUInt32LE(0) !== marks.end64) throw cut(format, 'no end of the large directory')
    const [count, length, start] = [32, 40, 48].map((field) => Number(record.readBigUInt64LE(field)))
    return { count: count ?? 0, length: length ?? 0, start: start ?? 0 }
  }
  return small
}

/**
 * Finds where the data of each entry begins. Data that overlaps is a bomb.
 * @param {FileHandle} handle
 * @param {{ format: string, size: number, entries: Entry[] }} file
 */
async function locate(handle, { format, size, entries }) {
  let end = 0
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    if (entry.at < end) throw cut(format, 'entries overlap')
    const head = await readAt(handle, entry.at, 30)
    if (head.length < 30 || head.readUInt32LE(0) !== marks.local)
      throw cut(format, 'an entry is not where the directory says')
    entry.data = entry.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
    end = entry.data + entry.packed
    if (end > size) throw cut(format, 'an entry is cut')
  }
}

/** @param {string} format @param {string} what */
function cut(format, what) {
  return damaged({ format }, new Error(what))
}
