/**
 * The records of a ZIP file (PKWARE APPNOTE 6.3). Everything is known in advance, so there are no data
 * descriptors, and the whole layout follows from names, sizes and checksums:
 *
 *   (local header ┊ bytes) per file ┊ central header per file ┊ [Zip64 end ┊ locator] ┊ end
 */
export interface ZipFile {
  readonly name: Buffer
  readonly size: number
  readonly crc32: number
  /** Where its local header starts. */
  readonly offset: number
}

export interface Directory {
  readonly entries: number
  readonly offset: number
  readonly size: number
}

export interface DosTime {
  readonly time: number
  readonly date: number
}

const u16Max = 0xffff
const u32Max = 0xffffffff
const zip64Tag = 0x0001
const utf8Names = 0x0800
const plainVersion = 20
const zip64Version = 45
const unix = 3 << 8
// A regular file, rw-r--r--, as unix tools read it.
const unixMode = 0o100644

/** The time in the format of ZIP, in UTC so that the bytes do not depend on the time zone. */
export function toDosTime(at: Date): DosTime {
  const year = at.getUTCFullYear()
  if (!(year >= 1980)) return { time: 0, date: (1 << 5) | 1 }
  if (year > 2107) return { time: (23 << 11) | (59 << 5) | 29, date: (127 << 9) | (12 << 5) | 31 }
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

/** The length of a file's local header. */
export function localHeaderLength(name: Buffer, size: number): number {
  return 30 + name.length + (size >= u32Max ? 20 : 0)
}

/** The header before a file's bytes. */
export function localHeader({ name, size, crc32 }: ZipFile, at: DosTime): Buffer {
  // 4.5.3: in the local header both sizes must be in the Zip64 field if one is.
  const extra = size >= u32Max ? zip64Field([size, size]) : Buffer.alloc(0)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(extra.length > 0 ? zip64Version : plainVersion, 4)
  writeFacts(head, 6, { at, crc32, size, nameLength: name.length, extraLength: extra.length })
  return Buffer.concat([head, name, extra])
}

/** The length of a file's entry in the directory. */
export function centralHeaderLength({ name, size, offset }: ZipFile): number {
  const wide = (size >= u32Max ? 2 : 0) + (offset >= u32Max ? 1 : 0)
  return 46 + name.length + (wide > 0 ? 4 + 8 * wide : 0)
}

/** A file's entry in the directory. */
export function centralHeader({ name, size, crc32, offset }: ZipFile, at: DosTime): Buffer {
  const wide = [...(size >= u32Max ? [size, size] : []), ...(offset >= u32Max ? [offset] : [])]
  const extra = wide.length > 0 ? zip64Field(wide) : Buffer.alloc(0)
  const version = wide.length > 0 ? zip64Version : plainVersion
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(unix | version, 4)
  head.writeUInt16LE(version, 6)
  writeFacts(head, 8, { at, crc32, size, nameLength: name.length, extraLength: extra.length })
  head.writeUInt32LE(unixMode * 0x10000, 38)
  head.writeUInt32LE(Math.min(offset, u32Max), 42)
  return Buffer.concat([head, name, extra])
}

/** The records after the directory. */
export function endRecords({ entries, offset, size }: Directory): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, u16Max), 8)
  end.writeUInt16LE(Math.min(entries, u16Max), 10)
  end.writeUInt32LE(Math.min(size, u32Max), 12)
  end.writeUInt32LE(Math.min(offset, u32Max), 16)
  const isWide = entries >= u16Max || size >= u32Max || offset >= u32Max
  return isWide ? Buffer.concat([zip64End({ entries, offset, size }), end]) : end
}

function zip64End({ entries, offset, size }: Directory): Buffer {
  const records = Buffer.alloc(56 + 20)
  records.writeUInt32LE(0x06064b50, 0)
  // 4.3.14.1: the length excludes the signature and itself.
  writeUInt64(records, 56 - 12, 4)
  records.writeUInt16LE(unix | zip64Version, 12)
  records.writeUInt16LE(zip64Version, 14)
  writeUInt64(records, entries, 24)
  writeUInt64(records, entries, 32)
  writeUInt64(records, size, 40)
  writeUInt64(records, offset, 48)
  records.writeUInt32LE(0x07064b50, 56)
  writeUInt64(records, offset + size, 64)
  records.writeUInt32LE(1, 72)
  return records
}

interface Facts {
  readonly at: DosTime
  readonly crc32: number
  readonly size: number
  readonly nameLength: number
  readonly extraLength: number
}

// Local and central headers share these fields; the method stays 0 (STORE).
function writeFacts(head: Buffer, start: number, { at, crc32, size, nameLength, extraLength }: Facts): void {
  head.writeUInt16LE(utf8Names, start)
  head.writeUInt16LE(at.time, start + 4)
  head.writeUInt16LE(at.date, start + 6)
  head.writeUInt32LE(crc32, start + 8)
  head.writeUInt32LE(Math.min(size, u32Max), start + 12)
  head.writeUInt32LE(Math.min(size, u32Max), start + 16)
  head.writeUInt16LE(nameLength, start + 20)
  head.writeUInt16LE(extraLength, start + 22)
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(zip64Tag, 0)
  field.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, n) => {
    writeUInt64(field, value, 4 + 8 * n)
  })
  return field
}

function writeUInt64(buffer: Buffer, value: number, at: number): void {
  buffer.writeBigUInt64LE(BigInt(value), at)
}
