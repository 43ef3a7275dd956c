import { expect, it } from 'vitest'
import { bearerOf } from './bearer.ts'

it('reads the token of a bearer header, however the scheme is spelt', () => {
  expect(bearerOf('Bearer abc')).toBe('abc')
  expect(bearerOf('bearer  abc ')).toBe('abc')
})

it('finds no token in anything else', () => {
  for (const header of [undefined, '', 'Bearer', 'Basic abc', 'abc', 'Bearer a b'])
    expect(bearerOf(header)).toBeUndefined()
})
