import { expect, it } from 'vitest'
import { parseRange } from './range.ts'

it('reads a range from both ends, from the start and from the end', () => {
  expect(parseRange('bytes=0-4', 10)).toEqual({ start: 0, end: 4 })
  expect(parseRange('bytes=5-', 10)).toEqual({ start: 5, end: 9 })
  expect(parseRange('bytes=-3', 10)).toEqual({ start: 7, end: 9 })
})

it('truncates a range at the end of the content', () => {
  expect(parseRange('bytes=8-100', 10)).toEqual({ start: 8, end: 9 })
  expect(parseRange('bytes=-100', 10)).toEqual({ start: 0, end: 9 })
})

it('reports an unsatisfiable range', () => {
  expect(parseRange('bytes=10-', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=0-0', 0)).toBe('unsatisfiable')
})

it('ignores what is not a single byte range', () => {
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=5-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b']) {
    expect(parseRange(header, 10)).toBeUndefined()
  }
})
