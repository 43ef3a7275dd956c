import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumOf, formatKey, isKey } from './key-format.ts'

const someKey = () => formatKey((below) => randomInt(below))

describe('an API key', () => {
  it('is lathe_, 30 base62 digits and 6 of checksum [D-http-60]', () => {
    expect(someKey()).toMatch(/^lathe_[0-9A-Za-z]{36}$/)
    expect(isKey(someKey())).toBe(true)
  })

  it('ends with the CRC-32 of its digits in base62 [D-http-60]', () => {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262, the check value of every CRC-32 table.
    expect(checksumOf('123456789')).toBe('3jZRME')
  })

  it('is refused when one digit is changed', () => {
    const key = someKey()
    fc.assert(
      fc.property(fc.integer({ min: 6, max: key.length - 1 }), fc.constantFrom(...'0aZ9x'), (at, digit) => {
        const changed = key.slice(0, at) + digit + key.slice(at + 1)
        return changed === key || !isKey(changed)
      }),
    )
  })

  it('is refused when it is shortened, lengthened or something else', () => {
    const key = someKey()
    for (const text of [
      key.slice(0, -1),
      `${key}0`,
      key.replace('lathe_', 'LATHE_'),
      '',
      'Bearer',
      ` ${key}`,
      `${key}\n`,
    ]) {
      expect(isKey(text)).toBe(false)
    }
  })
})
