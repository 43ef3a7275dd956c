import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { ObjectMissing } from '../object-store.ts'
import { chunkOf, manyChunks, readText } from './bytes.ts'
import type { Subject } from './object-store-suite.ts'

const MiB = 2 ** 20
const { signal } = new AbortController()

/** Tests how a store reads and copies objects. */
export function testReads(subject: Subject): void {
  describe('open', () => {
    beforeAll(async () => {
      await subject().store.put('read/digits', chunkOf('0123456789'), { signal })
    })

    it('gives undefined for an object that does not exist', async () => {
      expect(await subject().store.open('read/missing', { signal })).toBeUndefined()
      expect(await readText(subject().store, 'read/missing', { start: 0, end: 1 })).toBeUndefined()
    })

    it.each([
      [{ start: 0, end: 0 }, '0'],
      [{ start: 3, end: 5 }, '345'],
      [{ start: 9, end: 9 }, '9'],
      [{ start: 0, end: 9 }, '0123456789'],
      [{ start: 7, end: 500 }, '789'],
    ])('gives the range %j, both ends within', async (range, expected) => {
      expect(await readText(subject().store, 'read/digits', range)).toBe(expected)
    })

    it('refuses a range that starts past the end', async () => {
      const range = { start: 10, end: 12 }
      await expect(subject().store.open('read/digits', { signal, range })).rejects.toThrow(RangeError)
    })

    it('refuses to start when the signal is aborted', async () => {
      const opening = subject().store.open('read/digits', { signal: AbortSignal.abort(new Error('canceled')) })
      await expect(opening).rejects.toThrow('canceled')
    })

    it('fails the stream when the signal is aborted while reading', async () => {
      const { store } = subject()
      const controller = new AbortController()
      await store.put('read/large', manyChunks(20 * MiB), { signal })
      const body = await store.open('read/large', { signal: controller.signal })
      if (!body) return expect.unreachable()
      await once(body, 'readable')
      controller.abort()
      await expect(Array.fromAsync(body)).rejects.toMatchObject({ name: 'AbortError' })
    })

    it('serves many readers of one object at once', async () => {
      const { store } = subject()
      const texts = await Promise.all(Array.from({ length: 200 }, () => readText(store, 'read/digits')))
      expect(new Set(texts)).toEqual(new Set(['0123456789']))
    })
  })

  describe('copy', () => {
    it('makes a second object that outlives the first', async () => {
      const { store } = subject()
      await store.put('copy/from', chunkOf('bytes'), { signal })
      await store.copy('copy/from', 'copied/to', { signal })
      await store.delete(['copy/from'])
      expect(await readText(store, 'copied/to')).toBe('bytes')
    })

    it('needs no HEAD request for an object of known size', async () => {
      const { store } = subject()
      await store.put('copy/sized', chunkOf('bytes'), { signal })
      await store.copy('copy/sized', 'copied/sized', { signal, size: 5 })
      expect(await readText(store, 'copied/sized')).toBe('bytes')
    })

    it('replaces what the key held, and a copy of a copy is no surprise', async () => {
      const { store } = subject()
      await store.put('copy/again', chunkOf('new'), { signal })
      await store.put('copied/again', chunkOf('old'), { signal })
      await store.copy('copy/again', 'copied/again', { signal })
      await store.copy('copy/again', 'copied/again', { signal })
      expect(await readText(store, 'copied/again')).toBe('new')
      expect(await subject().countRemains()).toBe(0)
    })

    it('leaves a copy alone when its source is replaced', async () => {
      const { store } = subject()
      await store.put('copy/changing', chunkOf('before'), { signal })
      await store.copy('copy/changing', 'copied/changing', { signal })
      await store.put('copy/changing', chunkOf('after'), { signal })
      expect(await readText(store, 'copied/changing')).toBe('before')
    })

    it('copies a large object whole', async () => {
      const { store } = subject()
      const { sha256 } = await store.put('copy/large', manyChunks(33 * MiB), { signal })
      await store.copy('copy/large', 'copied/large', { signal })
      const body = await store.open('copied/large', { signal })
      if (!body) return expect.unreachable()
      expect(await store.put('copied/again-large', body, { signal })).toMatchObject({ size: 33 * MiB, sha256 })
    })

    it('throws for a source that does not exist, and makes nothing', async () => {
      const { store } = subject()
      for (const options of [{ signal }, { signal, size: 5 }]) {
        await expect(store.copy('copy/missing', 'copied/nothing', options)).rejects.toThrow(ObjectMissing)
      }
      expect(await readText(store, 'copied/nothing')).toBeUndefined()
    })

    it('makes nothing when it was aborted before', async () => {
      const { store } = subject()
      await store.put('copy/stop', chunkOf('bytes'), { signal })
      const copying = store.copy('copy/stop', 'copied/stopped', { signal: AbortSignal.abort(new Error('canceled')) })
      await expect(copying).rejects.toThrow('canceled')
      expect(await readText(store, 'copied/stopped')).toBeUndefined()
    })
  })
}
