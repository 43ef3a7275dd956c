// @ts-check
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, createInflateRaw, deflateRaw } from 'node:zlib'
import { Refusal } from './refusal.mjs'
import { methods, readAt } from './zip-source.mjs'

/**
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 * @typedef {import('./zip-source.mjs').Entry} Entry
 * @typedef {import('./zip-source.mjs').ZipSource} ZipSource
 * @typedef {import('./zip-source.mjs').InflatedCount} InflatedCount
 */

const deflate = promisify(deflateRaw)
const level = { level: 9, memLevel: 9 }
const chunk = 1024 ** 2
// Names in UTF-8 stay so marked; sizes are always in the header, so nothing follows the data.
const keptFlags = 0x0800

/** Writes a ZIP package entry by entry, each deflated as tightly as zlib can. */
export class ZipTarget {
  /** @param {FileHandle} handle */
  constructor(handle) {
    this.handle = handle
    this.at = 0
    /** @type {{ entry: Entry, at: number }[]} */
    this.written = []
  }

  /**
   * Writes an entry with a content of its own.
   * @param {Entry} entry
   * @param {Buffer} content
   */
  async put(entry, content) {
    const packed = await deflate(content, level)
    if (packed.length >= content.length) return this.store(entry, content)
    await this.handle.write(packed, 0, packed.length, this.at + headLength(entry))
    const { deflated: method } = methods
    await this.finish({ ...entry, method, crc: crc32(content), packed: packed.length, size: content.length })
  }

  /**
   * Writes an entry with a content of its own, unpacked.
   * @param {Entry} entry
   * @param {Buffer} content
   */
  async store(entry, content) {
    await this.handle.write(content, 0, content.length, this.at + headLength(entry))
    const { length } = content
    await this.finish({ ...entry, method: methods.stored, crc: crc32(content), packed: length, size: length })
  }

  /**
   * Copies an entry with its content unchanged: deflated anew if that is smaller, byte for byte if not.
   * @param {ZipSource} zip
   * @param {Entry} entry
   * @param {InflatedCount} count
   */
  async copy(zip, entry, count) {
    const again = await this.repack(zip, entry, count)
    if (again !== undefined && again.packed < entry.packed) {
      await this.finish({ ...entry, ...again, method: methods.deflated })
      return
    }
    await this.copyRaw(zip, entry)
    await this.finish(entry)
  }

  /** @param {ZipSource} zip @param {Entry} entry @param {InflatedCount} count */
  async repack(zip, entry, count) {
    if (entry.packed === 0 || (entry.method !== methods.deflated && entry.method !== methods.stored)) return undefined
    const from = this.at + headLength(entry)
    const sum = { crc: 0, size: 0, packed: 0 }
    const { handle } = this
    const counted = async function* (/** @type {AsyncIterable<Buffer>} */ source) {
      for await (const data of source) {
        count.add(0, data.length)
        sum.crc = crc32(data, sum.crc)
        sum.size += data.length
        yield data
      }
    }
    const write = async (/** @type {AsyncIterable<Buffer>} */ source) => {
      for await (const data of source) {
        await handle.write(data, 0, data.length, from + sum.packed)
        sum.packed += data.length
      }
    }
    const raw = () => piecesOf(zip.handle, entry, count)
    try {
      if (entry.method === methods.stored) await pipeline(raw, counted, createDeflateRaw(level), write)
      else await pipeline(raw, createInflateRaw(), counted, createDeflateRaw(level), write)
    } catch (error) {
      if (error instanceof Refusal) throw error
      // What cannot be inflated is left to the readers of the document, as it was.
      return undefined
    }
    return sum.crc === entry.crc ? sum : undefined
  }

  /** @param {ZipSource} zip @param {Entry} entry */
  async copyRaw({ handle }, entry) {
    let at = this.at + headLength(entry)
    for await (const data of piecesOf(handle, entry)) {
      await this.handle.write(data, 0, data.length, at)
      at += data.length
    }
  }

  /** @param {Entry} entry */
  async finish(entry) {
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    writeCommon(head, 4, entry)
    head.writeUInt16LE(entry.rawName.length, 26)
    await this.handle.write(Buffer.concat([head, entry.rawName]), 0, headLength(entry), this.at)
    this.written.push({ entry, at: this.at })
    this.at += headLength(entry) + entry.packed
    if (this.at > 0xffffffff) throw new Refusal('limit_exceeded', 'The result would be larger than 4 GiB.')
  }

  /** Writes the directory; what a longer attempt left behind it is cut off. */
  async end() {
    const heads = this.written.map(({ entry, at }) => {
      const head = Buffer.alloc(46)
      head.writeUInt32LE(0x02014b50, 0)
      head.writeUInt16LE(entry.madeBy, 4)
      writeCommon(head, 6, entry)
      head.writeUInt16LE(entry.rawName.length, 28)
      head.writeUInt16LE(entry.inner, 36)
      head.writeUInt32LE(entry.outer, 38)
      head.writeUInt32LE(at, 42)
      return Buffer.concat([head, entry.rawName])
    })
    const directory = Buffer.concat(heads)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(heads.length, 8)
    end.writeUInt16LE(heads.length, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(this.at, 16)
    await this.handle.write(Buffer.concat([directory, end]), 0, directory.length + 22, this.at)
    await this.handle.truncate(this.at + directory.length + 22)
    return this.at + directory.length + 22
  }
}

/** @param {Entry} entry */
function headLength(entry) {
  return 30 + entry.rawName.length
}

/** @param {Buffer} head @param {number} at @param {Entry} entry */
function writeCommon(head, at, { version, flags, method, time, date, crc, packed, size }) {
  head.writeUInt16LE(version, at)
  head.writeUInt16LE(flags & keptFlags, at + 2)
  head.writeUInt16LE(method, at + 4)
  head.writeUInt16LE(time, at + 6)
  head.writeUInt16LE(date, at + 8)
  head.writeUInt32LE(crc, at + 10)
  head.writeUInt32LE(packed, at + 14)
  head.writeUInt32LE(size, at + 18)
}

/** @param {FileHandle} handle @param {Entry} entry @param {InflatedCount} [count] */
async function* piecesOf(handle, { data, packed }, count) {
  for (let done = 0; done < packed; done += chunk) {
    const piece = await readAt(handle, data + done, Math.min(chunk, packed - done))
    count?.add(piece.length, 0)
    yield piece
  }
}
