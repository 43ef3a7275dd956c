import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SizeExceeded } from '../object-store.ts'
import { chunkOf, fileOf, manyChunks, readText } from './bytes.ts'
import type { Subject } from './object-store-suite.ts'

const MiB = 2 ** 20
const { signal } = new AbortController()

/** Tests how a store writes objects. */
export function testPuts(subject: Subject): void {
  describe('put', () => {
    it('keeps the bytes and returns their size and checksums', async () => {
      const { store } = subject()
      const content = Buffer.from('the quick brown fox')
      expect(await store.put('put/small', chunkOf(content), { signal })).toEqual({
        key: 'put/small',
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        crc32: crc32(content),
      })
      expect(await readText(store, 'put/small')).toBe('the quick brown fox')
    })

    it('keeps an empty object', async () => {
      const { store } = subject()
      expect(await store.put('put/empty', Readable.from([]), { signal })).toMatchObject({ size: 0, crc32: 0 })
      expect(await readText(store, 'put/empty')).toBe('')
    })

    it.each([5 * MiB, 5 * MiB + 1, 17 * MiB + 3])(
      'keeps %i bytes whole, whatever parts they travel in',
      async (size) => {
        const { store } = subject()
        const stored = await store.put(`put/parts-${size}`, manyChunks(size), { signal })
        const hash = createHash('sha256')
        for await (const chunk of (await store.open(`put/parts-${size}`, { signal })) ?? []) hash.update(chunk)
        expect(stored.size).toBe(size)
        expect(hash.digest('hex')).toBe(stored.sha256)
      },
    )

    it.each([0, 1, 4 * MiB, 4 * MiB + 1, 9 * MiB + 3, 64 * MiB + 1])('keeps a file of %i bytes', async (size) => {
      const { store } = subject()
      const bytes = Buffer.alloc(size, 'lathe turns files')
      const stored = await store.putFile(`put/file-${size}`, fileOf(bytes), { signal })
      expect(stored).toEqual({
        key: `put/file-${size}`,
        size,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        crc32: crc32(bytes),
      })
      const hash = createHash('sha256')
      for await (const chunk of (await store.open(`put/file-${size}`, { signal })) ?? []) hash.update(chunk)
      expect(hash.digest('hex')).toBe(stored.sha256)
    })

    it.each([MiB, 9 * MiB])('keeps nothing of a file of %i bytes that becomes shorter', async (size) => {
      const { store } = subject()
      const file = fileOf(Buffer.alloc(size))
      const cut = { ...file, read: async (to: Uint8Array, at: number) => (at > size / 2 - 1 ? 0 : file.read(to, at)) }
      const half = size === MiB ? { ...file, read: async () => 0 } : cut
      await expect(store.putFile('put/cut', half, { signal })).rejects.toThrow('shorter')
      expect(await store.open('put/cut', { signal })).toBeUndefined()
    })

    it('keeps no file whose writer was aborted', async () => {
      const { store } = subject()
      const stop = new AbortController()
      const file = fileOf(Buffer.alloc(6 * MiB))
      const read = (to: Uint8Array, at: number) => {
        stop.abort(new Error('stopped'))
        return file.read(to, at)
      }
      await expect(store.putFile('put/stopped', { ...file, read }, stop)).rejects.toThrow('stopped')
      expect(await store.open('put/stopped', { signal })).toBeUndefined()
    })

    it('replaces an object as a whole', async () => {
      const { store } = subject()
      await store.put('put/twice', chunkOf('first and long'), { signal })
      await store.put('put/twice', chunkOf('second'), { signal })
      expect(await readText(store, 'put/twice')).toBe('second')
    })

    it('grows the process by less than 100 MB for 300 MB', { timeout: 120_000 }, async () => {
      const { store } = subject()
      await store.put('put/warm-up', manyChunks(20 * MiB), { signal })
      const before = process.memoryUsage.rss()
      let peak = before
      const watch = (sent: number) => {
        if (sent % MiB === 0) peak = Math.max(peak, process.memoryUsage.rss())
      }
      await store.put('put/large', manyChunks(300 * MiB, watch), { signal })
      expect((peak - before) / MiB).toBeLessThan(100)
    })

    it.each(['', '../up', 'a/../b', '/root', 'a//b', '.hidden', 'a\0b'])('refuses the key %j', async (key) => {
      const { store } = subject()
      await expect(store.put(key, chunkOf('x'), { signal })).rejects.toThrow(TypeError)
      await expect(store.open(key, { signal })).rejects.toThrow(TypeError)
      await expect(store.copy(key, 'put/x', { signal })).rejects.toThrow(TypeError)
      await expect(store.delete([key])).rejects.toThrow(TypeError)
    })
  })

  describe('a failed put', () => {
    const sizes = [100_000, 30 * MiB]

    async function expectNothing(key: string) {
      const { store, countRemains } = subject()
      expect(await store.open(key, { signal })).toBeUndefined()
      expect(await countRemains()).toBe(0)
    }

    it.each(sizes)('accepts exactly the allowed %i bytes and keeps nothing of one more', async (maxSize) => {
      const { store } = subject()
      await store.put('put/allowed', manyChunks(maxSize), { signal, maxSize })
      const tooLarge = store.put('put/too-large', manyChunks(maxSize + 1), { signal, maxSize })
      await expect(tooLarge).rejects.toThrow(SizeExceeded)
      await expectNothing('put/too-large')
    })

    it.each(sizes)('leaves nothing when it is aborted before the end of %i bytes', async (size) => {
      const { store } = subject()
      const controller = new AbortController()
      const source = manyChunks(size, (sent) => {
        if (sent === size) controller.abort(new Error('canceled'))
      })
      await expect(store.put('put/aborted', source, { signal: controller.signal })).rejects.toThrow('canceled')
      await expectNothing('put/aborted')
    })

    it('leaves nothing, and does not wait, when it is aborted while its source is silent', async () => {
      const { store } = subject()
      const controller = new AbortController()
      const silent = new Readable({ read() {} })
      silent.push(Buffer.alloc(20 * MiB))
      const putting = store.put('put/silent', silent, { signal: controller.signal })
      setImmediate(() => controller.abort(new Error('canceled')))
      await expect(putting).rejects.toThrow('canceled')
      await expectNothing('put/silent')
    })

    it('does nothing when it was aborted before', async () => {
      const { store } = subject()
      const putting = store.put('put/never', chunkOf('x'), { signal: AbortSignal.abort(new Error('canceled')) })
      await expect(putting).rejects.toThrow('canceled')
      await expectNothing('put/never')
    })

    it.each(sizes)('leaves nothing when its source breaks after %i bytes', async (size) => {
      const { store } = subject()
      async function* breaking() {
        yield* manyChunks(size)
        throw new Error('connection lost')
      }
      await expect(store.put('put/broken', breaking(), { signal })).rejects.toThrow('connection lost')
      await expectNothing('put/broken')
    })
  })
}
