import { describe, expect, it } from 'vitest'
import type { KeyHolder } from './accounts.ts'
import { createCallerCache } from './caller-cache.ts'

const holder: KeyHolder = { keyId: 'k', ownerId: 'o', userId: 'u', scopes: new Set(), linkGeneration: 0 }

function setUp(answer: () => Promise<KeyHolder | undefined>) {
  let time = 0
  let loads = 0
  const cache = createCallerCache({ now: () => new Date(time) }, () => {
    loads++
    return answer()
  })
  const pass = (ms: number) => {
    time += ms
  }
  return { cache, pass, loads: () => loads }
}

describe('the cache of callers', () => {
  it('reads once for simultaneous requests', async () => {
    const { cache, loads } = setUp(async () => holder)
    await Promise.all([cache.find(['a']), cache.find(['a'])])
    expect(loads()).toBe(1)
  })

  it('reads again before 5 seconds are over, so that a revoked key is refused in time', async () => {
    const { cache, pass, loads } = setUp(async () => holder)
    await cache.find(['a'])
    pass(4999)
    await cache.find(['a'])
    expect(loads()).toBe(2)
  })

  it('does not remember an unknown key', async () => {
    const { cache, loads } = setUp(async () => undefined)
    await cache.find(['a'])
    await cache.find(['a'])
    expect(loads()).toBe(2)
  })

  it('does not remember a failure', async () => {
    let broken = true
    const { cache } = setUp(async () => {
      if (broken) throw new Error('away')
      return holder
    })
    await expect(cache.find(['a'])).rejects.toThrow('away')
    broken = false
    expect(await cache.find(['a'])).toBe(holder)
  })
})
