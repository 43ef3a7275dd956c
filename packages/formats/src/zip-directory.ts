import { hasText, littleEndianAt } from './bytes.ts'
import type { FileAccess, Looking } from './looking.ts'

/** One file in a zip, as listed in its directory. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly packedSize: number
  /** Where its local header begins. */
  readonly offset: number
}

const endBytes = 22
const maxComment = 65_535
const maxDirectoryBytes = 2 ** 20
const maxEntries = 8192

/** Reads the directory at the end of a zip; `undefined` if there is none. */
export function* readZipDirectory(size: number): Looking<readonly ZipEntry[] | undefined> {
  const tailStart = Math.max(0, size - endBytes - maxComment)
  const tail = yield { offset: tailStart, length: size - tailStart }
  const end = lastIndexOfEnd(tail)
  if (end === -1) return undefined
  const listedBytes = littleEndianAt(tail, end + 12, 4)
  const listedStart = littleEndianAt(tail, end + 16, 4)
  // If something was put before the zip, all its offsets are wrong by that length.
  const isWide = listedStart === 0xffff_ffff || listedBytes === 0xffff_ffff
  const start = isWide ? yield* readWideStart(tail, end) : tailStart + end - listedBytes
  if (start === undefined || start < 0) return undefined
  const directory = yield {
    offset: start,
    length: Math.min(isWide ? maxDirectoryBytes : listedBytes, maxDirectoryBytes),
  }
  return parseDirectory(directory, isWide ? 0 : start - listedStart)
}

function lastIndexOfEnd(tail: Uint8Array): number {
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail[at] === 0x50 && hasText(tail, at, 'PK\x05\x06')) return at
  }
  return -1
}

// Above 4 GiB a second end record, 20 bytes before the first, points to a third.
function* readWideStart(tail: Uint8Array, end: number): Looking<number | undefined> {
  const at = end - 20
  if (at < 0 || !hasText(tail, at, 'PK\x06\x07')) return undefined
  const record = yield { offset: wideAt(tail, at + 8), length: 56 }
  return hasText(record, 0, 'PK\x06\x06') ? wideAt(record, 48) : undefined
}

function wideAt(bytes: Uint8Array, at: number): number {
  return littleEndianAt(bytes, at, 4) + littleEndianAt(bytes, at + 4, 4) * 2 ** 32
}

function parseDirectory(directory: Uint8Array, shift: number): readonly ZipEntry[] {
  const decoder = new TextDecoder()
  const entries: ZipEntry[] = []
  for (let at = 0; hasText(directory, at, 'PK\x01\x02') && entries.length < maxEntries; ) {
    const nameBytes = littleEndianAt(directory, at + 28, 2)
    entries.push({
      name: decoder.decode(directory.subarray(at + 46, at + 46 + Math.min(nameBytes, 512))),
      method: littleEndianAt(directory, at + 10, 2),
      packedSize: littleEndianAt(directory, at + 20, 4),
      offset: littleEndianAt(directory, at + 42, 4) + shift,
    })
    at += 46 + nameBytes + littleEndianAt(directory, at + 30, 2) + littleEndianAt(directory, at + 32, 2)
  }
  return entries
}

const maxPackedBytes = 2 ** 18
const maxPartBytes = 2 ** 22

/** Reads one file of a zip as text; `undefined` for other methods, binary data or a file that is too large. */
export function* readZipText(entry: ZipEntry, inflate: FileAccess['inflate']): Looking<string | undefined> {
  const header = yield { offset: entry.offset, length: 30 }
  if (!hasText(header, 0, 'PK\x03\x04') || entry.packedSize > maxPackedBytes) return undefined
  const start = entry.offset + 30 + littleEndianAt(header, 26, 2) + littleEndianAt(header, 28, 2)
  const packed = yield { offset: start, length: entry.packedSize }
  const bytes = entry.method === 0 ? packed : entry.method === 8 ? inflate(packed, maxPartBytes) : undefined
  return bytes && new TextDecoder(isWide(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
}

function isWide(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe
}
