import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText, cleanWarnings, maxWarningBytes, maxWarnings } from './engine-text.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)

/** Text with invalid and control characters. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\udc00\ud800',
    '\u001b[2J',
    '\u009b31m',
    'A\0B',
    'ü'.repeat(3000),
    '😀'.repeat(2000),
  ),
)

describe('S1: text of an engine', () => {
  it('is valid text for PostgreSQL, whatever it was', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 0, max: 5000 }), (text, most) => {
        const clean = cleanText(text, most)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).not.toMatch(/[^\P{Cc}\n\r\t]/u)
        expect(bytesOf(clean)).toBeLessThanOrEqual(most)
      }),
      { numRuns: 5000 },
    )
  })

  it('stays unchanged if it is valid', () => {
    const text = 'Zeile 1\n\tspalte 😀 “ü”'
    expect(cleanText(text, 100)).toBe(text)
  })

  it.each([-1, 0, 1])('is truncated at its limit of bytes: %i beyond', (more) => {
    expect(cleanText('x'.repeat(64 + more), 64)).toBe('x'.repeat(Math.min(64, 64 + more)))
  })

  it('is never cut in the middle of a character', () => {
    expect(cleanText('x😀', 4)).toBe('x')
    expect(cleanText('x😀', 5)).toBe('x😀')
    expect(cleanText(`x${'ü'.repeat(300)}`, 512)).toBe(`x${'ü'.repeat(255)}`)
  })
})

describe('S1: warnings of an engine', () => {
  it.each([
    ['nothing', undefined],
    ['a word', 'a'],
    ['an object that cannot become text', { toString: 1 }],
    ['no strings', [{ toString: 1 }, null, 7, ['x'], Symbol.iterator]],
    ['empty ones', ['', ' \n ']],
  ])('are none for %s', (_, given) => {
    expect(cleanWarnings(given)).toEqual([])
  })

  it('are each reported once, on one line', () => {
    expect(cleanWarnings(['a\nb', 'a b', 'c\0'])).toEqual(['a b', 'c\ufffd'])
  })

  it.each([-1, 0, 1])('are at most 100: %i beyond', (more) => {
    const given = Array.from({ length: maxWarnings + more }, (_, n) => `warning ${n}`)
    expect(maxWarnings).toBe(100)
    expect(cleanWarnings(given)).toHaveLength(Math.min(100, 100 + more))
  })

  it('are at most 512 bytes long', () => {
    expect(cleanWarnings(['x'.repeat(1024 ** 2)])).toEqual(['x'.repeat(maxWarningBytes)])
  })
})
