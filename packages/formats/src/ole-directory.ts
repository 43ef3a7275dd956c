import { littleEndianAt } from './bytes.ts'
import type { Looking } from './looking.ts'

/** The root folder of a compound file. */
export interface OleRoot {
  /** The class of the program that wrote the file, as a GUID in upper case. */
  readonly classId: string
  /** The names of the streams and folders in the root. */
  readonly names: readonly string[]
}

const entryBytes = 128
const none = 0xffff_fff0
// A root folder seldom has a hundred entries; messages with many attachments have the most.
const maxEntries = 2048
const maxSectors = 16_384

interface Tables {
  readonly sectorBytes: number
  /** The position of each sector of the allocation table. */
  readonly places: readonly number[]
}

/** Reads the root folder of a compound file by following its allocation table. Every loop is bounded. */
export function* readOleRoot(): Looking<OleRoot | undefined> {
  const header = yield { offset: 0, length: 512 }
  const sectorBytes = 2 ** littleEndianAt(header, 30, 2)
  if (header.length < 512 || (sectorBytes !== 512 && sectorBytes !== 4096)) return undefined
  const tables = { sectorBytes, places: yield* readPlaces(header, sectorBytes) }
  const sectors = yield* readChain(littleEndianAt(header, 48, 4), tables)
  const readEntry = entryReader(sectors, sectorBytes)
  const root = yield* readEntry(0)
  if (root === undefined) return undefined
  return { classId: guidAt(root, 80), names: yield* readFolder(littleEndianAt(root, 76, 4), readEntry) }
}

// The first 109 positions are in the header, the others in separate sectors.
function* readPlaces(header: Uint8Array, sectorBytes: number): Looking<readonly number[]> {
  const places: number[] = []
  for (let n = 0; n < 109; n++) places.push(littleEndianAt(header, 76 + 4 * n, 4))
  let next = littleEndianAt(header, 68, 4)
  for (let n = 0; n < 128 && next < none; n++) {
    const sector = yield { offset: (next + 1) * sectorBytes, length: sectorBytes }
    if (sector.length < sectorBytes) break
    for (let at = 0; at + 4 < sectorBytes; at += 4) places.push(littleEndianAt(sector, at, 4))
    next = littleEndianAt(sector, sectorBytes - 4, 4)
  }
  return places
}

/** The sectors of a stream in order, as far as the table can be read. */
function* readChain(start: number, { sectorBytes, places }: Tables): Looking<readonly number[]> {
  const perTable = sectorBytes / 4
  const read = new Map<number, Uint8Array>()
  const chain: number[] = []
  const seen = new Set<number>()
  for (let next = start; next < none && chain.length < maxSectors && !seen.has(next); ) {
    chain.push(next)
    seen.add(next)
    const index = Math.floor(next / perTable)
    const place = places[index] ?? none
    if (place >= none) break
    const table = read.get(index) ?? (yield { offset: (place + 1) * sectorBytes, length: sectorBytes })
    read.set(index, table)
    const at = 4 * (next % perTable)
    // If the table cannot be read, assumes the next sector: most programs write the directory in one piece.
    next = at + 4 <= table.length ? littleEndianAt(table, at, 4) : next + 1
  }
  return chain
}

type EntryReader = (id: number) => Looking<Uint8Array | undefined>

function entryReader(sectors: readonly number[], sectorBytes: number): EntryReader {
  const read = new Map<number, Uint8Array>()
  return function* readEntry(id) {
    const offset = id * entryBytes
    const sector = sectors[Math.floor(offset / sectorBytes)]
    if (sector === undefined) return undefined
    const bytes = read.get(sector) ?? (yield { offset: (sector + 1) * sectorBytes, length: sectorBytes })
    read.set(sector, bytes)
    const entry = bytes.subarray(offset % sectorBytes, (offset % sectorBytes) + entryBytes)
    return entry.length < entryBytes ? undefined : entry
  }
}

/** The names in a folder, which is stored as a tree of siblings, as far as it can be read. */
function* readFolder(first: number, readEntry: EntryReader): Looking<readonly string[]> {
  const names: string[] = []
  const seen = new Set<number>()
  const open = [first]
  for (let id = open.pop(); id !== undefined && seen.size < maxEntries; id = open.pop()) {
    if (id >= none || seen.has(id)) continue
    seen.add(id)
    const entry = yield* readEntry(id)
    if (entry === undefined) continue
    names.push(entryName(entry))
    open.push(littleEndianAt(entry, 68, 4), littleEndianAt(entry, 72, 4))
  }
  return names
}

// UTF-16 with a terminating zero, which is included in the byte count.
function entryName(entry: Uint8Array): string {
  const length = Math.min(littleEndianAt(entry, 64, 2), 64) / 2 - 1
  let name = ''
  for (let n = 0; n < length; n++) name += String.fromCharCode(littleEndianAt(entry, 2 * n, 2))
  return name
}

function guidAt(bytes: Uint8Array, at: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  const tail = Array.from(bytes.subarray(at + 8, at + 16), (byte) => hex(byte, 2)).join('')
  const front = [
    hex(littleEndianAt(bytes, at, 4), 8),
    hex(littleEndianAt(bytes, at + 4, 2), 4),
    hex(littleEndianAt(bytes, at + 6, 2), 4),
  ]
  return [...front, tail.slice(0, 4), tail.slice(4)].join('-').toUpperCase()
}
