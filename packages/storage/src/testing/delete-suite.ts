import { describe, expect, it } from 'vitest'
import type { ObjectStore } from '../object-store.ts'
import { chunkOf, readText } from './bytes.ts'
import type { Subject } from './object-store-suite.ts'

const { signal } = new AbortController()

/** Tests how a store deletes objects, and its check. */
export function testDeletes(subject: Subject): void {
  async function fill(store: ObjectStore, keys: readonly string[]): Promise<void> {
    const left = [...keys]
    const fillSome = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await store.put(key, chunkOf(key), { signal })
    }
    await Promise.all(Array.from({ length: 16 }, fillSome))
  }

  describe('delete', () => {
    it('deletes the named objects and no others; missing ones do not matter', async () => {
      const { store } = subject()
      await fill(store, ['delete/a', 'delete/b', 'delete/c', 'delete/d'])
      await store.delete(['delete/a'])
      await store.delete(['delete/b', 'delete/missing', 'delete/c'])
      await store.delete(['delete/missing'])
      await store.delete([])
      const texts = await Promise.all(['a', 'b', 'c', 'd'].map((name) => readText(store, `delete/${name}`)))
      expect(texts).toEqual([undefined, undefined, undefined, 'delete/d'])
    })
  })

  describe('deletePrefix', () => {
    it('deletes more objects than one request may name, and leaves the neighbours', { timeout: 120_000 }, async () => {
      const { store } = subject()
      const keys = Array.from({ length: 1_050 }, (_, n) => `1700000100/task${n % 7}/1/${n}`)
      await fill(store, [...keys, '1700000400/task/1/0'])
      expect(await store.deletePrefix('1700000100')).toBe(1_050)
      expect(await store.deletePrefix('1700000100')).toBe(0)
      expect(await readText(store, '1700000100/task0/1/0')).toBeUndefined()
      expect(await readText(store, '1700000400/task/1/0')).toBe('1700000400/task/1/0')
      expect(await store.listPrefixes()).not.toContain('1700000100')
    })

    it('accepts a prefix that ends within a segment, as slices of an expiring one do', async () => {
      const { store } = subject()
      await fill(store, ['1700000700/6553f3a1/1/0', '1700000700/6553f3af/1/0', '1700000700/6553f3b0/1/0'])
      expect(await store.deletePrefix('1700000700/6553f3a')).toBe(2)
      expect(await readText(store, '1700000700/6553f3b0/1/0')).toBeDefined()
    })

    it('keeps to the folder when the prefix ends with a slash', async () => {
      const { store } = subject()
      await fill(store, ['1700001000/a/1', '1700001000x/a/1'])
      expect(await store.deletePrefix('1700001000/')).toBe(1)
      expect(await readText(store, '1700001000x/a/1')).toBeDefined()
    })

    it.each(['', '/', '../', '.'])('refuses the prefix %j', async (prefix) => {
      await expect(subject().store.deletePrefix(prefix)).rejects.toThrow(TypeError)
    })
  })

  describe('list', () => {
    async function listAll(prefix: string) {
      const pages = await Array.fromAsync(subject().store.list(prefix))
      expect(Math.max(0, ...pages.map((page) => page.length))).toBeLessThanOrEqual(1_000)
      return pages.flat().sort((one, other) => (one.key < other.key ? -1 : 1))
    }

    it('gives every object once, page by page', { timeout: 120_000 }, async () => {
      const keys = Array.from({ length: 1_050 }, (_, n) => `1700001300/task${n % 7}/1/${n}`)
      await fill(subject().store, keys)
      expect((await listAll('1700001300')).map(({ key }) => key)).toEqual(keys.toSorted())
    })

    it('takes prefixes that end anywhere, and gives the time of writing', async () => {
      const { store } = subject()
      const before = Date.now()
      await fill(store, ['1700001600/ab1/1/0', '1700001600/ab2/1/0', '1700001600/b/1/0', '17000016000/ab/1/0'])
      const keysOf = async (prefix: string) => (await listAll(prefix)).map(({ key }) => key)
      expect(await keysOf('1700001600/ab')).toEqual(['1700001600/ab1/1/0', '1700001600/ab2/1/0'])
      expect(await keysOf('1700001600/ab2/')).toEqual(['1700001600/ab2/1/0'])
      expect(await keysOf('1700001600/')).toHaveLength(3)
      expect(await keysOf('1700001601')).toEqual([])
      const times = (await listAll('1700001600/')).map(({ writtenAt }) => writtenAt.getTime() - before)
      // Stores may give whole seconds.
      for (const time of times) expect(Math.abs(time)).toBeLessThan(30_000)
    })

    it.each(['', '/', '../', '.'])('refuses the prefix %j', async (prefix) => {
      await expect(async () => Array.fromAsync(subject().store.list(prefix))).rejects.toThrow(TypeError)
    })
  })

  describe('listPrefixes', () => {
    it('lists the first segments of all keys, each once, sorted', async () => {
      const { store } = subject()
      await fill(store, ['list-b/1/0', 'list-a/1/0', 'list-a/2/0', 'list-c/1/0'])
      const prefixes = await store.listPrefixes()
      expect(prefixes.filter((prefix) => prefix.startsWith('list-'))).toEqual(['list-a', 'list-b', 'list-c'])
      expect(prefixes).toEqual(prefixes.toSorted())
    })
  })

  describe('check', () => {
    it('passes on a working store and leaves no object', async () => {
      const { store } = subject()
      await store.check(signal)
      const [bucket = ''] = (await store.listPrefixes()).filter((prefix) => prefix > '1750000000' && prefix < '2')
      expect(bucket === '' ? 0 : await store.deletePrefix(bucket)).toBe(0)
    })

    it('ends with its signal', async () => {
      await expect(subject().store.check(AbortSignal.abort(new Error('canceled')))).rejects.toThrow('canceled')
    })
  })
}
