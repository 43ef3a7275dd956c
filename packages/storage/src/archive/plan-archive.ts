import type { Readable } from 'node:stream'
import type { ByteRange } from '../object-store.ts'
import { toEntryNames } from './entry-names.ts'
import { type Piece, streamPieces } from './stream-pieces.ts'
import {
  centralHeader,
  centralHeaderLength,
  type DosTime,
  endRecords,
  localHeader,
  localHeaderLength,
  toDosTime,
  type ZipFile,
} from './zip-records.ts'

/** A file of an archive. Its metadata is known; its bytes are opened when they are needed. */
export interface ArchiveEntry {
  readonly name: string
  /** Its folder in the archive: `album/day 1`; empty for the top level. */
  readonly folder?: string
  readonly size: number
  readonly crc32: number
  readonly open: (range: ByteRange | undefined, signal: AbortSignal) => Promise<Readable>
}

/** An archive that is generated while it is read. */
export interface Archive {
  readonly size: number
  /** The bytes of the archive, or a range of them: the same each time. Opens only the entries in the range. */
  stream(range: ByteRange | undefined, signal: AbortSignal): Readable
}

/** Lays out a ZIP archive of stored (not compressed) files without reading their bytes. */
export function planArchive(entries: readonly ArchiveEntry[], modifiedAt: Date): Archive {
  const { pieces, size } = layOut(entries, toDosTime(modifiedAt))
  return {
    size,
    stream(range, signal) {
      const { start, end } = range ?? { start: 0, end: size - 1 }
      if (!(start >= 0 && start <= end && start < size)) throw new RangeError('The range is outside the archive.')
      return streamPieces(pieces, { start, end: Math.min(end, size - 1) }, signal)
    },
  }
}

function layOut(entries: readonly ArchiveEntry[], at: DosTime): { pieces: readonly Piece[]; size: number } {
  const names = toEntryNames(entries)
  const pieces: Piece[] = []
  const files: ZipFile[] = []
  let offset = 0
  const add = (length: number, part: Pick<Piece, 'bytes' | 'open'>) => {
    if (length > 0) pieces.push({ offset, length, ...part })
    offset += length
  }
  for (const [n, { size, crc32, open }] of entries.entries()) {
    const file = { name: Buffer.from(names[n] ?? ''), size, crc32, offset }
    files.push(file)
    add(localHeaderLength(file.name, size), { bytes: () => localHeader(file, at) })
    add(size, { open })
  }
  const directoryOffset = offset
  for (const file of files) add(centralHeaderLength(file), { bytes: () => centralHeader(file, at) })
  const end = endRecords({ entries: files.length, offset: directoryOffset, size: offset - directoryOffset })
  add(end.length, { bytes: () => end })
  return { pieces, size: offset }
}
