import { describe, expect, it } from 'vitest'
import { numberIn } from './find-outputs.ts'

describe('a planned name with a star', () => {
  it.each([
    ['out-0-007.png', 7],
    ['out-0-.png', undefined],
    ['out-0-x.png', undefined],
    ['out-0-1.jpg', undefined],
    ['out-0-1e3.png', undefined],
    ['out-0.png', undefined],
  ])('finds the number in %s', (name, number) => {
    expect(numberIn('out-0-*.png', name)).toBe(number)
  })
})
