import { describe, expect, it } from 'vitest'
import { createAllowance } from './allowance.ts'

describe('the allowance of a proxy', () => {
  it.each([
    [499, undefined, true],
    [500, undefined, true],
    [501, 'requests', false],
  ])('of 500 requests, %i made: %s [L-page-requests]', (asked, spent, isGiven) => {
    const allowance = createAllowance({ requests: 500, bytes: 1 })
    const given = Array.from({ length: asked }, () => allowance.takeRequest())
    expect(given.at(-1)).toBe(isGiven)
    expect(allowance).toMatchObject({ spent, requests: Math.min(asked, 500) })
  })

  it.each([
    [99_999_999, undefined],
    [100_000_000, undefined],
    [100_000_001, 'bytes'],
  ])('of 100 MB, %i bytes passed: %s [L-page-bytes]', (bytes, spent) => {
    const allowance = createAllowance({ requests: 1, bytes: 100_000_000 })
    expect(allowance.takeBytes(60_000_000)).toBe(true)
    expect(allowance.takeBytes(bytes - 60_000_000)).toBe(spent === undefined)
    expect(allowance.spent).toBe(spent)
  })

  it('is used up permanently, for both [L-page-bytes]', () => {
    const allowance = createAllowance({ requests: 10, bytes: 10 })
    expect(allowance.takeBytes(11)).toBe(false)
    expect([allowance.takeBytes(1), allowance.takeRequest()]).toEqual([false, false])
  })
})
