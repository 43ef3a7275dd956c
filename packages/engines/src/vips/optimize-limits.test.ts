import { describe, expect, it } from 'vitest'
import { optimizeLimits } from '../optimize/limits.ts'

interface Size {
  readonly width: number
  readonly height: number
}

// A script of the runner, which has no types.
const script = new URL('./optimize-limits.mjs', import.meta.url).href
const { checkedSize, allFrames, rulesOf } = (await import(script)) as {
  checkedSize(source: Size, call: object): Size
  allFrames(source: Size & { pages: number }, call: object): object
  rulesOf(call: object, now: () => number): { isLate(): boolean }
}

const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

const callFor = (...formats: readonly string[]) => ({ params: { formats }, limits: optimizeLimits })

function expectWithin(step: number, check: () => unknown): void {
  if (step <= 0) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code: 'limit_exceeded' }))
}

describe('pixels of an optimized image, 32,000,000', () => {
  it.each(steps)('%s [L-optimize-pixels]', (_, step) => {
    const source = { width: 32_000_000 + step, height: 1 }
    expectWithin(step, () => checkedSize(source, callFor('png')))
    const smaller = { ...callFor('png'), params: { formats: ['png'], width: 1000 } }
    expect(checkedSize(source, smaller)).toEqual({ width: 1000, height: 1 })
  })
})

describe('pixels of an image that AVIF is tried for, 16,000,000', () => {
  it.each(steps)('%s [L-optimize-avif]', (_, step) => {
    // No side exceeds the limit of the format.
    const source = { width: 4000, height: 4000 + step / 4000 }
    expectWithin(step, () => checkedSize(source, callFor('avif')))
    expect(() => checkedSize(source, callFor('avif', 'jpg'))).not.toThrow()
  })
})

describe('pixels of all frames of an optimized animation, 40,000,000', () => {
  it.each(steps)('%s [L-optimize-frames]', (_, step) => {
    const source = { pages: 1, width: 40_000_000 + step, height: 1 }
    expectWithin(step, () => allFrames(source, callFor('webp')))
  })
})

describe('time of a search for smaller images, 30 s', () => {
  it.each(steps)('%s [L-optimize-time]', (_, step) => {
    let now = 1000
    const { isLate } = rulesOf(callFor('webp'), () => now)
    now += 30_000 + step
    expect(isLate()).toBe(step > 0)
  })
})
