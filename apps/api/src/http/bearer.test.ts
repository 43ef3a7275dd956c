import { expect, it } from 'vitest'
import { bearerOf } from './bearer.ts'

it('reads the token of a bearer header, however the scheme is spelt [S-http-03]', () => {
  expect(bearerOf('Bearer abc')).toBe('abc')
  expect(bearerOf('bearer  abc ')).toBe('abc')
})

it('finds no token in anything else [S-auth-01]', () => {
  for (const header of [undefined, '', 'Bearer', 'Basic abc', 'abc', 'Bearer a b'])
    expect(bearerOf(header)).toBeUndefined()
})
