import { check } from 'recheck'
import { describe, expect, it } from 'vitest'
import { eachAtOnce } from './support/each-at-once.ts'
import { findPatterns } from './support/find-patterns.ts'

// Counted in characters read, not in time: a busy machine makes no pattern vulnerable.
const limits = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

describe('ReDoS [B13]', () => {
  it('finds all regular expressions, and detects a vulnerable one', async () => {
    expect(findPatterns().length).toBeGreaterThan(90)
    expect((await check('^(a+)+$', '')).status).toBe('vulnerable')
  })

  it('no regular expression of Lathe backtracks catastrophically', { timeout: 900_000 }, async () => {
    const found = await eachAtOnce(findPatterns(), 2, async ({ source, flags, where }) => {
      const { status, ...more } = await check(source, flags, limits)
      const attack = 'attack' in more && more.attack ? JSON.stringify(more.attack).slice(0, 200) : ''
      return status === 'safe' ? [] : [`${where}: /${source}/${flags} is ${status} ${attack}`]
    })
    expect(found.flat()).toEqual([])
  })
})
