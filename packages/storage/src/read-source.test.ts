import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { SizeExceeded } from './object-store.ts'
import { readSource } from './read-source.ts'

const { signal } = new AbortController()

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function text(source: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(source)).toString()
}

describe('readSource', () => {
  it('gives the chunks as they come, leaving out empty ones', async () => {
    const seen = await Array.fromAsync(readSource(chunks('a', '', 'b'), { signal }))
    expect(seen.map(String)).toEqual(['a', 'b'])
  })

  it('takes exactly the allowed size and refuses one byte more', async () => {
    expect(await text(readSource(chunks('ab', 'cd'), { signal, maxSize: 4 }))).toBe('abcd')
    await expect(text(readSource(chunks('ab', 'cde'), { signal, maxSize: 4 }))).rejects.toThrow(SizeExceeded)
  })

  it('ends at once when the signal is aborted, although the next chunk never arrives', async () => {
    const controller = new AbortController()
    const stuck = new Readable({ read() {} })
    const reading = text(readSource(stuck, { signal: controller.signal }))
    controller.abort(new Error('canceled'))
    await expect(reading).rejects.toThrow('canceled')
    expect(stuck.destroyed).toBe(true)
  })

  it('closes a generator it leaves early', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<string>()
    async function* source() {
      try {
        for (;;) yield Buffer.from('abc')
      } finally {
        resolve('closed')
      }
    }
    await expect(text(readSource(source(), { signal, maxSize: 10 }))).rejects.toThrow(SizeExceeded)
    expect(await closed).toBe('closed')
  })

  it('passes on errors of the source', async () => {
    async function* source() {
      yield Buffer.from('a')
      throw new Error('connection lost')
    }
    await expect(text(readSource(source(), { signal }))).rejects.toThrow('connection lost')
  })
})
