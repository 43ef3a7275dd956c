import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ByteRange } from '../object-store.ts'
import { type ArchiveEntry, planArchive } from './plan-archive.ts'

const at = new Date('2026-03-04T05:06:08Z')
const { signal } = new AbortController()
const GiB = 2 ** 30

function entryOf(name: string, content: Uint8Array, opened: (ByteRange | undefined)[] = []): ArchiveEntry {
  return {
    name,
    size: content.length,
    crc32: crc32(content),
    open: async (range) => {
      opened.push(range)
      return Readable.from([Buffer.from(range ? content.subarray(range.start, range.end + 1) : content)])
    },
  }
}

/** An entry of any size whose every byte is the low byte of its position. It is never held in memory. */
function virtualEntry(name: string, size: number): ArchiveEntry {
  return {
    name,
    size,
    crc32: 0x12345678,
    open: async (range) => {
      const { start, end } = range ?? { start: 0, end: size - 1 }
      return Readable.from([Buffer.from(Array.from({ length: end - start + 1 }, (_, n) => (start + n) % 256))])
    },
  }
}

function read(archive: ReturnType<typeof planArchive>, range?: ByteRange): Promise<Buffer> {
  return buffer(archive.stream(range, signal))
}

describe('planArchive', () => {
  const contents = fc.array(fc.tuple(fc.string({ maxLength: 12 }), fc.uint8Array({ maxLength: 300 })), { maxLength: 8 })

  it('knows its exact length, and any range is the slice of the whole [D-shape-14]', async () => {
    await fc.assert(
      fc.asyncProperty(contents, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 10 }), async (files, ranges) => {
        const archive = planArchive(
          files.map(([name, content]) => entryOf(name, content)),
          at,
        )
        const whole = await read(archive)
        expect(whole.length).toBe(archive.size)
        for (const [a, b] of ranges) {
          const [start = 0, end = 0] = [a % archive.size, b % archive.size].sort((x, y) => x - y)
          expect((await read(archive, { start, end })).equals(whole.subarray(start, end + 1))).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('opens only the entries a range touches, and only the bytes it needs', async () => {
    const opened: (ByteRange | undefined)[][] = [[], [], []]
    const entries = opened.map((log, n) => entryOf(`${n}`, Buffer.alloc(100, n), log))
    const start = 131 + 31 + 10
    expect(await read(planArchive(entries, at), { start, end: start + 4 })).toEqual(Buffer.alloc(5, 1))
    expect(opened).toEqual([[], [{ start: 10, end: 14 }], []])
  })

  it('truncates a range at the end and refuses one that starts past it', async () => {
    const archive = planArchive([entryOf('a', Buffer.from('x'))], at)
    expect(await read(archive, { start: archive.size - 2, end: archive.size + 50 })).toHaveLength(2)
    expect(() => archive.stream({ start: archive.size, end: archive.size }, signal)).toThrow(RangeError)
    expect(() => archive.stream({ start: 3, end: 2 }, signal)).toThrow(RangeError)
    expect(() => archive.stream({ start: -1, end: 2 }, signal)).toThrow(RangeError)
  })

  it('fails the stream when an entry is shorter or longer than expected', async () => {
    for (const content of ['abc', 'abcde']) {
      const entry = { ...entryOf('a', Buffer.from('abcd')), open: async () => Readable.from([Buffer.from(content)]) }
      await expect(read(planArchive([entry], at))).rejects.toMatchObject({ name: 'EntryChanged' })
    }
  })

  it('fails the stream when an entry cannot be opened', async () => {
    const entry = { ...entryOf('a', Buffer.from('abcd')), open: () => Promise.reject(new Error('gone')) }
    await expect(read(planArchive([entry], at))).rejects.toThrow('gone')
  })

  it('stops the entry being read when its reader goes away, even if no chunk ever comes', async () => {
    const opened = Promise.withResolvers<AbortSignal>()
    const open = async (_range: ByteRange | undefined, stop: AbortSignal) => {
      opened.resolve(stop)
      return new Readable({ read() {}, signal: stop })
    }
    const stream = planArchive([{ name: 'a', size: 10, crc32: 0, open }], at)
      .stream(undefined, signal)
      .resume()
    const stop = await opened.promise
    expect(stop.aborted).toBe(false)
    stream.destroy()
    expect(stop.aborted).toBe(true)
  })

  it('stops when its signal is aborted', async () => {
    const controller = new AbortController()
    const open = async (_range: ByteRange | undefined, stop: AbortSignal) => new Readable({ read() {}, signal: stop })
    const stream = planArchive([{ name: 'a', size: 10, crc32: 0, open }], at).stream(undefined, controller.signal)
    stream.once('data', () => controller.abort())
    await expect(buffer(stream)).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('an archive past four gibibytes', () => {
  const entries = [virtualEntry('big.bin', 5 * GiB), virtualEntry('late.bin', 1000)]
  const archive = planArchive(entries, at)

  it('serves bytes after a large entry', async () => {
    const header = 30 + 'big.bin'.length + 20
    const position = 5 * GiB - 300
    const bytes = await read(archive, { start: header + position, end: header + position + 299 })
    expect(bytes).toHaveLength(300)
    expect(bytes[0]).toBe(position % 256)
    expect(bytes[299]).toBe(255)
  })

  it('has its sizes and offsets in Zip64 fields that refer to the entries', async () => {
    const tail = await read(archive, { start: archive.size - 98, end: archive.size - 1 })
    expect(tail.readUInt32LE(0)).toBe(0x06064b50)
    expect(tail.readUInt32LE(56)).toBe(0x07064b50)
    expect(Number(tail.readBigUInt64LE(64))).toBe(archive.size - 98)
    expect(tail.readUInt32LE(76)).toBe(0x06054b50)

    const [size, offset] = [Number(tail.readBigUInt64LE(40)), Number(tail.readBigUInt64LE(48))]
    const directory = await read(archive, { start: offset, end: offset + size - 1 })
    expect(Number(directory.readBigUInt64LE(46 + 7 + 4))).toBe(5 * GiB)
    const second = 46 + 7 + 20
    expect(directory.readUInt32LE(second)).toBe(0x02014b50)
    const lateOffset = Number(directory.readBigUInt64LE(second + 46 + 8 + 4))
    const local = await read(archive, { start: lateOffset, end: lateOffset + 29 })
    expect(local.readUInt32LE(0)).toBe(0x04034b50)
  })

  it('uses plain records if nothing is large', async () => {
    const small = planArchive([entryOf('a', Buffer.from('abc'))], at)
    expect(small.size).toBe(30 + 1 + 3 + 46 + 1 + 22)
    expect((await read(small)).readUInt16LE(4)).toBe(20)
  })
})
