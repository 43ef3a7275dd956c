import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Part, readParts } from './read-parts.ts'

async function* each(chunks: readonly Uint8Array[]) {
  yield* chunks
}

async function read(chunks: readonly Uint8Array[], partSize: number): Promise<Part[]> {
  return Array.fromAsync(readParts(each(chunks), partSize).parts)
}

describe('readParts', () => {
  it('cuts any chunks into full parts and one last, losing and changing nothing', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 64 }), async (list, partSize) => {
        const parts = await read(list, partSize)
        expect(Buffer.concat(parts.map((part) => part.bytes)).equals(Buffer.concat(list))).toBe(true)
        expect(parts.map((part) => part.isLast)).toEqual(parts.map((_, n) => n === parts.length - 1))
        expect(parts.slice(0, -1).every((part) => part.bytes.length === partSize)).toBe(true)
      }),
    )
  })

  it('gives one part for a body of exactly one part, and an empty one for nothing', async () => {
    expect(await read([Buffer.alloc(64)], 64)).toMatchObject([{ isLast: true }])
    expect(await read([], 64)).toMatchObject([{ bytes: Buffer.alloc(0), isLast: true }])
  })

  it('copies a chunk whose buffer may be reused', async () => {
    const chunk = Buffer.from('aaaa')
    async function* source() {
      yield chunk
      chunk.fill('b')
      yield chunk
    }
    const [part] = await Array.fromAsync(readParts(source(), 1024).parts)
    expect(String(part?.bytes)).toBe('aaaabbbb')
  })

  it('reuses returned buffers', async () => {
    const partSize = 256 * 1024
    const seen = new Set<ArrayBufferLike>()
    const reader = readParts(each(Array.from({ length: 64 }, () => Buffer.alloc(100_000))), partSize)
    for await (const part of reader.parts) {
      if (!part.isLast) seen.add(part.bytes.buffer)
      reader.release(part)
    }
    expect(seen.size).toBeLessThanOrEqual(2)
  })

  it('allocates little for a small body', async () => {
    const [part] = await read([Buffer.alloc(40_000)], 8 * 2 ** 20)
    expect(part?.bytes.buffer.byteLength).toBe(64 * 1024)
  })
})
