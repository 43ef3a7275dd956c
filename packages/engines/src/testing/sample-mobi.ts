export interface MobiParts {
  readonly text: string | Buffer
  /** 1 for none, 2 for PalmDOC, 17480 for Huffman codes. */
  readonly compression?: number
  readonly encryption?: number
  readonly images?: readonly Buffer[]
  /** Records of the Huffman tables and phrases, after the text. */
  readonly tables?: readonly Buffer[]
  /** The metadata of the book, by record number. */
  readonly about?: Readonly<Record<number, string | Buffer>>
  readonly title?: string
  /** Text records as they are stored, if they differ from the text. */
  readonly packed?: readonly Buffer[]
  readonly kind?: string
}

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A Palm database of these records. */
export function palmDatabase(records: readonly Buffer[], kind = 'BOOKMOBI', name = 'Sample_Book'): Buffer {
  const header = Buffer.alloc(78 + records.length * 8 + 2)
  header.write(name, 0, 'latin1')
  header.write(kind, 60, 'latin1')
  header.writeUInt16BE(records.length, 76)
  let at = header.length
  for (const [n, record] of records.entries()) {
    header.writeUInt32BE(at, 78 + 8 * n)
    at += record.length
  }
  return Buffer.concat([header, ...records])
}

/** PalmDOC compression that uses only literal bytes, runs of them, and a space with a letter. */
export function palmDoc(text: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < text.length; at += 1) {
    const [byte = 0, next = 0] = [text[at], text[at + 1]]
    if (byte === 32 && next >= 0x40 && next < 0x80) {
      parts.push(Buffer.from([next ^ 0x80]))
      at += 1
    } else if (byte === 0 || (byte >= 9 && byte < 0x80)) parts.push(Buffer.from([byte]))
    else parts.push(Buffer.from([1, byte]))
  }
  return Buffer.concat(parts)
}

const recordBytes = 4096
const headerBytes = 232

function aboutRecord(about: Readonly<Record<number, string | Buffer>>): Buffer {
  const entries = Object.entries(about).map(([kind, value]) => {
    const content = Buffer.from(value as string)
    return Buffer.concat([u32(Number(kind)), u32(content.length + 8), content])
  })
  const all = Buffer.concat(entries)
  return Buffer.concat([Buffer.from('EXTH'), u32(all.length + 12), u32(entries.length), all])
}

/** The first record of a book, with these numbers at their offsets. */
function firstRecord(parts: MobiParts, records: number, fields: Readonly<Record<number, number>>): Buffer {
  const header = Buffer.alloc(16 + headerBytes + 24, 0)
  header.fill(0xff, 16 + 24, 16 + headerBytes + 24)
  header.writeUInt16BE(parts.compression ?? 1, 0)
  header.writeUInt16BE(records, 8)
  header.writeUInt16BE(recordBytes, 10)
  header.writeUInt16BE(parts.encryption ?? 0, 12)
  header.write('MOBI', 16)
  const about = aboutRecord(parts.about ?? {})
  const title = Buffer.from(parts.title ?? 'Sample')
  const all = { 20: headerBytes + 24, 24: 2, 28: 65001, 36: 6, 128: 0x40, 240: 0, ...fields }
  for (const [at, value] of Object.entries(all)) header.writeUInt32BE(value, Number(at))
  header.writeUInt32BE(header.length + about.length, 84)
  header.writeUInt32BE(title.length, 88)
  return Buffer.concat([header, about, title])
}

function textRecords({ text, compression = 1, packed }: MobiParts): readonly Buffer[] {
  if (packed) return packed
  const bytes = Buffer.from(text as string)
  const count = Math.max(1, Math.ceil(bytes.length / recordBytes))
  const slices = Array.from({ length: count }, (_, n) => bytes.subarray(n * recordBytes, (n + 1) * recordBytes))
  return compression === 2 ? slices.map(palmDoc) : slices
}

/** A book in the older format. */
export function makeMobi(parts: MobiParts): Buffer {
  const text = textRecords(parts)
  const [tables, images] = [parts.tables ?? [], parts.images ?? []]
  const first = firstRecord(parts, text.length, {
    108: 1 + text.length + tables.length,
    112: 1 + text.length,
    116: tables.length,
  })
  return palmDatabase([first, ...text, ...tables, ...images], parts.kind)
}

/** A text for Palm readers: 16 bytes of header, then the text. */
export function makePalmText(text: string): Buffer {
  const records = textRecords({ text, compression: 2 })
  const header = Buffer.concat([u16(2), u16(0), u32(text.length), u16(records.length), u16(recordBytes), u32(0)])
  return palmDatabase([header, ...records], 'TEXtREAd', 'Palm_Text')
}

/**
 * Huffman tables in which each byte is the number of a phrase: codes of eight bits, counted down. A phrase that is a
 * list of numbers is packed in the same way.
 */
export function huffmanTables(phrases: readonly (string | readonly number[])[]): readonly Buffer[] {
  // The code of a phrase is 255 minus its index.
  const codes = Buffer.concat(Array.from({ length: 256 }, () => u32((0xff << 8) | 0x80 | 8)))
  const lengths = Buffer.alloc(256, 0)
  const huff = Buffer.concat([Buffer.from('HUFF'), u32(24), u32(24), u32(24 + 1024), u32(0), u32(0), codes, lengths])
  const contents = phrases.map((one) => {
    const content = typeof one === 'string' ? Buffer.from(one) : huffmanCodes(one)
    return Buffer.concat([u16(content.length | (typeof one === 'string' ? 0x8000 : 0)), content])
  })
  let at = phrases.length * 2
  const offsets = contents.map((content) => {
    const offset = u16(at)
    at += content.length
    return offset
  })
  const head = Buffer.concat([Buffer.from('CDIC'), u32(16), u32(phrases.length), u32(8)])
  return [huff, Buffer.concat([head, ...offsets, ...contents])]
}

/** The codes of phrases by their numbers. */
export const huffmanCodes = (numbers: readonly number[]) => Buffer.from(numbers.map((one) => 255 - one))

const variable = (value: number): Buffer =>
  Buffer.from([(value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, (value & 127) | 0x80])

/** An index of entries with the tags 1 to 6 of a skeleton or a fragment. */
function indexRecords(
  tags: readonly (readonly number[])[],
  entries: readonly (readonly [string, readonly number[]])[],
) {
  const tagx = Buffer.concat([
    Buffer.from('TAGX'),
    u32(12 + 4 * (tags.length + 1)),
    u32(1),
    ...tags.map((tag) => Buffer.from(tag)),
    Buffer.from([0, 0, 0, 1]),
  ])
  const control = tags.reduce((bits, tag) => bits | (tag[2] ?? 0), 0)
  const main = Buffer.concat([Buffer.from('INDX'), u32(192), Buffer.alloc(12), u32(0), u32(1), Buffer.alloc(164), tagx])
  const written = entries.map(([name, values]) =>
    Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([control]), ...values.map(variable)]),
  )
  let at = 192
  const offsets = written.map((entry) => {
    const offset = u16(at)
    at += entry.length
    return offset
  })
  const head = Buffer.concat([
    Buffer.from('INDX'),
    u32(192),
    Buffer.alloc(12),
    u32(at),
    u32(entries.length),
    Buffer.alloc(164),
  ])
  return [main, Buffer.concat([head, ...written, Buffer.from('IDXT'), ...offsets])]
}

export interface Kf8Parts {
  /** Each file: the text before its fragment, the fragment, and the text after it. */
  readonly files: readonly (readonly [before: string, fragment: string, after: string])[]
  readonly css?: string
  readonly images?: readonly Buffer[]
  readonly about?: MobiParts['about']
}

/** A book in the newer format (KF8). */
export function makeKf8({ files, css = '', images = [], about }: Kf8Parts): Buffer {
  let at = 0
  const skeletons: [string, number[]][] = []
  const fragments: [string, number[]][] = []
  const pieces: string[] = []
  for (const [n, [before, fragment, after]] of files.entries()) {
    const size = Buffer.byteLength(before + after)
    skeletons.push([`SKEL${n}`, [1, at, size]])
    fragments.push([
      String(at + Buffer.byteLength(before)).padStart(10, '0'),
      [0, n, 0, 0, Buffer.byteLength(fragment)],
    ])
    pieces.push(before + after, fragment)
    at += size + Buffer.byteLength(fragment)
  }
  const text = textRecords({ text: pieces.join('') + css, compression: 2 })
  const skeleton = indexRecords(
    [
      [1, 1, 1, 0],
      [6, 2, 2, 0],
    ],
    skeletons,
  )
  const fragment = indexRecords(
    [
      [2, 1, 1, 0],
      [3, 1, 2, 0],
      [4, 1, 4, 0],
      [6, 2, 8, 0],
    ],
    fragments,
  )
  const flows = [u32(0), u32(at), u32(at), u32(at + Buffer.byteLength(css))]
  const fdst = Buffer.concat([Buffer.from('FDST'), u32(12), u32(2), ...flows])
  const place = 1 + text.length
  const parts = { text: '', compression: 2, ...(about && { about }) }
  const first = firstRecord(parts, text.length, { 36: 8, 108: place + 5, 192: place + 4, 248: place + 2, 252: place })
  return palmDatabase([first, ...text, ...skeleton, ...fragment, fdst, ...images])
}
