import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toEntryNames } from './entry-names.ts'

describe('toEntryNames', () => {
  it('numbers repeats before the extension, in order', () => {
    expect(toEntryNames(['a.txt', 'a.txt', 'b', 'a.txt', 'b'])).toEqual(['a.txt', 'a-1.txt', 'b', 'a-2.txt', 'b-1'])
  })

  it('leaves a name to the file that was given it', () => {
    expect(toEntryNames(['a.txt', 'a.txt', 'a-1.txt'])).toEqual(['a.txt', 'a-2.txt', 'a-1.txt'])
  })

  it('takes names for one that a case-blind file system would', () => {
    expect(toEntryNames(['A.txt', 'a.txt', 'e\u0301', '\u00e9'])).toEqual(['A.txt', 'a-1.txt', 'e\u0301', '\u00e9-1'])
  })

  it('lets no name leave the folder it is unpacked in', () => {
    expect(toEntryNames(['../../etc/passwd', 'C:\\x', '..', '', 'a\0b'])).toEqual([
      '.._.._etc_passwd',
      'C__x',
      'file__',
      'file',
      'a_b',
    ])
  })

  it('gives any list of names as many different names', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('a', 'A', 'a-1', 'a.b', 'a-1.b', '.b', '.b-1'),
    )
    fc.assert(
      fc.property(fc.array(name, { maxLength: 15 }), (names) => {
        const made = toEntryNames(names)
        expect(made).toHaveLength(names.length)
        expect(new Set(made.map((one) => one.normalize('NFC').toLowerCase())).size).toBe(names.length)
      }),
    )
  })

  it('names many equal files without trying every number for each', () => {
    expect(toEntryNames(Array.from({ length: 20_000 }, () => 'a.txt')).at(-1)).toBe('a-19999.txt')
  })
})
