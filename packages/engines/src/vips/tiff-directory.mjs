// @ts-check
import { damaged, Refusal } from './refusal.mjs'

/**
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 * @typedef {{ tag: number, type: number, count: number, bytes: Buffer }} Entry a tag with its values, wherever they were
 * @typedef {{ entries: Entry[], next: number }} Directory
 * @typedef {{ place: number, offset: number, count: number, entry: number, inline: number }} Layout
 */

/** Bytes of each type of value, by its number. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
const long = 4
const long8 = 16
/** More values than any tag of a sound file has. */
const mostValues = 4_000_000
const mostEntries = 4096

/** @type {Layout} where things are in a directory of a TIFF, in bytes */
const classic = { place: 4, offset: 4, count: 2, entry: 12, inline: 4 }
/** @type {Layout} */
const bigLayout = { place: 8, offset: 8, count: 8, entry: 20, inline: 8 }

/** The two ways to write numbers, and the two sizes of places. */
export class TiffForm {
  /** @param {boolean} isLittle @param {boolean} isBig */
  constructor(isLittle, isBig) {
    this.isLittle = isLittle
    this.isBig = isBig
    this.layout = isBig ? bigLayout : classic
  }

  /**
   * Reads the header of a file: its form, and where its first directory is.
   *
   * @param {FileHandle} file
   */
  static async read(file) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(16), 0, 16, 0)
    const isLittle = buffer.toString('latin1', 0, 2) === 'II'
    const version = isLittle ? buffer.readUInt16LE(2) : buffer.readUInt16BE(2)
    const isKnown = isLittle || buffer.toString('latin1', 0, 2) === 'MM'
    if (bytesRead < 16 || !isKnown || (version !== 42 && version !== 43)) throw damaged({ format: 'tiff' })
    const form = new TiffForm(isLittle, version === 43)
    return { form, first: form.readNumber(buffer, form.layout.offset, form.layout.place) }
  }

  /** The header of a file whose first directory is there. @param {number} first */
  header(first) {
    const { isBig, isLittle } = this
    const bytes = Buffer.alloc(isBig ? 16 : 8)
    bytes.write(isLittle ? 'II' : 'MM', 'latin1')
    this.writeNumber(bytes, { at: 2, bytes: 2, value: isBig ? 43 : 42 })
    if (isBig) this.writeNumber(bytes, { at: 4, bytes: 2, value: 8 })
    this.writeNumber(bytes, { at: this.layout.offset, bytes: this.layout.place, value: first })
    return bytes
  }

  /** @param {Buffer} from @param {number} at @param {number} bytes */
  readNumber(from, at, bytes) {
    if (bytes === 8) return Number(this.isLittle ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at))
    return this.isLittle ? from.readUIntLE(at, bytes) : from.readUIntBE(at, bytes)
  }

  /** @param {Buffer} to @param {{ at: number, bytes: number, value: number }} number */
  writeNumber(to, { at, bytes, value }) {
    if (bytes === 8) {
      if (this.isLittle) to.writeBigUInt64LE(BigInt(value), at)
      else to.writeBigUInt64BE(BigInt(value), at)
    } else if (this.isLittle) to.writeUIntLE(value, at, bytes)
    else to.writeUIntBE(value, at, bytes)
  }

  /** The values of an entry that holds whole numbers. @param {Entry | undefined} entry */
  numbers(entry) {
    const size = sizes[entry?.type ?? 0] ?? 0
    if (entry === undefined || size === 0) return []
    return Array.from({ length: entry.count }, (_, n) => this.readNumber(entry.bytes, n * size, size))
  }

  /** An entry of places in a file. @param {number} tag @param {readonly number[]} places @returns {Entry} */
  places(tag, places) {
    const size = this.layout.place
    const bytes = Buffer.alloc(places.length * size)
    for (const [n, value] of places.entries()) this.writeNumber(bytes, { at: n * size, bytes: size, value })
    return { tag, type: this.isBig ? long8 : long, count: places.length, bytes }
  }

  /**
   * Reads a directory with all its values.
   *
   * @param {FileHandle} file
   * @param {number} at
   * @returns {Promise<Directory>}
   */
  async readDirectory(file, at) {
    const { count: countBytes, entry: entryBytes, place } = this.layout
    const count = this.readNumber(await readExactly(file, at, countBytes), 0, countBytes)
    if (count > mostEntries) throw damaged({ format: 'tiff' })
    const bytes = await readExactly(file, at + countBytes, count * entryBytes + place)
    const entries = []
    for (let n = 0; n < count; n++) {
      const entry = await this.#readEntry(file, bytes.subarray(n * entryBytes, (n + 1) * entryBytes))
      if (entry !== undefined) entries.push(entry)
    }
    return { entries, next: this.readNumber(bytes, count * entryBytes, place) }
  }

  /**
   * Undefined for a tag of a type that nobody knows, or whose values are not there.
   *
   * @param {FileHandle} file
   * @param {Buffer} bytes
   * @returns {Promise<Entry | undefined>}
   */
  async #readEntry(file, bytes) {
    const { place, inline } = this.layout
    const [tag, type, count] = [
      this.readNumber(bytes, 0, 2),
      this.readNumber(bytes, 2, 2),
      this.readNumber(bytes, 4, place),
    ]
    const length = (sizes[type] ?? 0) * count
    if (length === 0) return undefined
    if (count > mostValues && sizes[type] !== 1)
      throw new Refusal('limit_exceeded', 'A tag of the TIFF has too many values.')
    const at = 4 + place
    if (length <= inline) return { tag, type, count, bytes: Buffer.from(bytes.subarray(at, at + length)) }
    const values = await readExactly(file, this.readNumber(bytes, at, place), length).catch(() => undefined)
    return values && { tag, type, count, bytes: values }
  }

  /**
   * A directory as bytes to be written at a place, with the values that do not fit into it behind it. The place of the
   * next directory is left empty: `link` says where it goes.
   *
   * @param {readonly Entry[]} entries
   * @param {number} at
   */
  layOut(entries, at) {
    const { count: countBytes, entry: entryBytes, place, inline } = this.layout
    const link = countBytes + entries.length * entryBytes
    const head = Buffer.alloc(link + place)
    this.writeNumber(head, { at: 0, bytes: countBytes, value: entries.length })
    const parts = [head]
    let end = head.length
    for (const [n, { tag, type, count, bytes }] of entries.entries()) {
      const start = countBytes + n * entryBytes
      this.writeNumber(head, { at: start, bytes: 2, value: tag })
      this.writeNumber(head, { at: start + 2, bytes: 2, value: type })
      this.writeNumber(head, { at: start + 4, bytes: place, value: count })
      if (bytes.length <= inline) bytes.copy(head, start + 4 + place)
      else {
        this.writeNumber(head, { at: start + 4 + place, bytes: place, value: at + end })
        // Values begin at even places.
        const filled = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
        parts.push(filled)
        end += filled.length
      }
    }
    return { bytes: Buffer.concat(parts), link: at + link }
  }
}

/** @param {FileHandle} file @param {number} place @param {number} length */
async function readExactly(file, place, length) {
  const { size } = await file.stat()
  if (!Number.isSafeInteger(place) || place < 0 || place + length > size) throw damaged({ format: 'tiff' })
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, place)
  if (bytesRead < length) throw damaged({ format: 'tiff' })
  return buffer
}
