import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { OpenOptions } from '@lathe/storage'
import { describe, expect, it } from 'vitest'
import { createPatientStore, StorageFault, type WorkStore } from './patient-store.ts'

const { signal } = new AbortController()
const content = Buffer.from('all the bytes of a file, one after the other')
const stored = { key: 'k', size: 1, sha256: '', crc32: 0 }

/** A store of one object. Its first bodies break off, and its other operations fail this many times at first. */
function createFlakyStore({ failures = 0, breaks = [] as number[] } = {}) {
  const opened: number[] = []
  let left = failures
  const fail = () => {
    if (left-- > 0) throw new Error('connect ECONNREFUSED')
  }
  function* body(start: number, breakAt: number | undefined) {
    yield content.subarray(start, breakAt === undefined ? undefined : start + breakAt)
    if (breakAt !== undefined) throw new Error('aborted')
  }
  const store: WorkStore = {
    async open(_, { range }: OpenOptions) {
      fail()
      const start = range?.start ?? 0
      if (start >= content.length) throw new RangeError('past the end')
      opened.push(start)
      return Readable.from(body(start, breaks[opened.length - 1]), { objectMode: false })
    },
    async put(_, source) {
      for await (const _chunk of source) fail()
      return stored
    },
    async putFile() {
      fail()
      return stored
    },
    async copy() {
      fail()
    },
    async delete() {
      fail()
    },
  }
  return { store, opened }
}

const patient = (store: WorkStore, ms = 10_000) => createPatientStore(store, { beforeMs: ms, afterMs: ms })
async function read(store: WorkStore): Promise<Buffer> {
  return buffer((await store.open('k', { signal })) ?? Readable.from([]))
}

const file = { size: 1, read: async () => 1 }
async function* some() {
  yield content
}

describe('R9: storage that fails for a while', () => {
  it('is retried until it responds', async () => {
    const { store } = createFlakyStore({ failures: 2 })
    expect(await read(patient(store))).toEqual(content)
    expect(await patient(createFlakyStore({ failures: 2 }).store).putFile('k', file, { signal })).toBe(stored)
    await patient(createFlakyStore({ failures: 2 }).store).copy('a', 'b', { signal })
  })

  it('resumes a body where it was interrupted, also at its very end', async () => {
    const { store, opened } = createFlakyStore({ breaks: [5, 7, content.length - 12] })
    expect(await read(patient(store))).toEqual(content)
    expect(opened).toEqual([0, 5, 12])
  })

  it('becomes a failure of the storage after a while, never of the task', async () => {
    const { store } = createFlakyStore({ failures: 1_000 })
    await expect(patient(store, 0).copy('a', 'b', { signal })).rejects.toThrow(StorageFault)
    await expect(patient(store).put('k', some(), { signal })).rejects.toThrow(StorageFault)
    const broken = (async function* () {
      yield content
      throw new Error('the source broke off')
    })()
    const { store: fine } = createFlakyStore()
    await expect(patient(fine).put('k', broken, { signal })).rejects.toThrow('the source broke off')
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(patient(store).copy('a', 'b', { signal: stopped })).rejects.not.toThrow(StorageFault)
  })
})
