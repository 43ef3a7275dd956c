import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineReader } from './line-reader.ts'

describe('the line reader', () => {
  it('returns the same lines however the bytes are split', () => {
    const cuts = fc.array(fc.nat(200))
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', ' '))),
        cuts,
        (lines, at) => {
          const reader = createLineReader(10_000)
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
          const edges = [0, ...at.map((n) => Math.min(n, bytes.length)).sort((a, b) => a - b), bytes.length]
          const found = edges.slice(1).flatMap((edge, n) => reader.push(bytes.subarray(edges[n], edge)))
          expect(found).toEqual(lines)
        },
      ),
    )
  })

  it('refuses a line that is too long, finished or not', () => {
    expect(createLineReader(4).push(Buffer.from('12345\n'))).toBe('overlong')
    const reader = createLineReader(4)
    expect(reader.push(Buffer.from('123'))).toEqual([])
    expect(reader.push(Buffer.from('45'))).toBe('overlong')
    expect(createLineReader(4).push(Buffer.from('1234\n'))).toEqual(['1234'])
  })
})
