import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toEntryNames as toPaths } from './entry-names.ts'

const toEntryNames = (names: readonly string[]) => toPaths(names.map((name) => ({ name })))

describe('toEntryNames', () => {
  it('numbers repeats before the extension, in order', () => {
    expect(toEntryNames(['a.txt', 'a.txt', 'b', 'a.txt', 'b'])).toEqual(['a.txt', 'a-1.txt', 'b', 'a-2.txt', 'b-1'])
  })

  it('keeps the name of a file that has it explicitly', () => {
    expect(toEntryNames(['a.txt', 'a.txt', 'a-1.txt'])).toEqual(['a.txt', 'a-2.txt', 'a-1.txt'])
  })

  it('treats names that differ in case only as the same', () => {
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

  it('shortens long names without losing their extensions', () => {
    expect(toEntryNames([`${'x'.repeat(250)}.webp`, 'y'.repeat(300), `${'😀'.repeat(130)}.jpg`])).toEqual([
      `${'x'.repeat(235)}.webp`,
      'y'.repeat(240),
      `${'😀'.repeat(118)}.jpg`,
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

describe('folders', () => {
  it('keep files of the same name apart', () => {
    const paths = toPaths([
      { folder: 'album/day 1', name: 'a.jpg' },
      { folder: 'album/day 2', name: 'a.jpg' },
      { folder: 'album/day 2', name: 'a.jpg' },
      { folder: '', name: 'a.jpg' },
    ])
    expect(paths).toEqual(['album/day 1/a.jpg', 'album/day 2/a.jpg', 'album/day 2/a-1.jpg', 'a.jpg'])
  })

  it('exclude a file of the same name', () => {
    const paths = toPaths([
      { name: 'Album' },
      { name: 'b.jpg' },
      { folder: 'album', name: 'b.jpg' },
      { name: 'b-1.jpg' },
    ])
    expect(paths).toEqual(['Album-1', 'b.jpg', 'album/b.jpg', 'b-1.jpg'])
  })

  it('never lead out of the place the archive is unpacked in [D-op-84]', () => {
    const paths = toPaths([
      { folder: '../../etc', name: 'passwd' },
      { folder: '/abs/./x', name: 'a' },
      { folder: 'C:\\win\0', name: 'b' },
    ])
    expect(paths).toEqual(['file__/file__/etc/passwd', 'abs/file_/x/a', 'C__win_/b'])
    fc.assert(
      fc.property(fc.array(fc.record({ folder: fc.string({ unit: 'binary' }), name: fc.string() })), (entries) => {
        const made = toPaths(entries)
        expect(new Set(made).size).toBe(entries.length)
        for (const path of made) {
          expect(path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')).toBe(true)
          expect(path).not.toMatch(/[\\:\p{Cc}]/u)
        }
      }),
    )
  })
})
