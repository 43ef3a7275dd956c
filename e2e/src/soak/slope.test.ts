import { describe, expect, it } from 'vitest'
import { slopeOf } from './slope.ts'

describe('the slope of a series', () => {
  it('is that of the line through its points', () => {
    expect(slopeOf([0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x })))).toBeCloseTo(2)
  })

  it('is none where nothing rises, whatever the noise', () => {
    expect(slopeOf([3, -3, -3, 3].map((y, x) => ({ x, y })))).toBeCloseTo(0)
  })

  it('is none for a single point', () => {
    expect(slopeOf([{ x: 1, y: 7 }])).toBe(0)
  })
})
