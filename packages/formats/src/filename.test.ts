import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../fixtures/cpu-ms.ts'
import { cleanFilename, cleanFolder, maxFilenameBytes, splitName } from './filename.ts'

const size = (name: string) => new TextEncoder().encode(name).length

describe('cleanFilename', () => {
  it.each([
    '-rf',
    '--help',
    '@canary',
    '|id',
    ';id',
    '$(id)',
    '`id`',
    '%d.png',
    'x.png[0]',
    'msl:x',
    '.htaccess',
    'café.jpg',
    'cafe\u0301.jpg',
    '👩‍👩‍👧.png',
    '写真.webp',
    'a b.jpg',
    'x'.repeat(251).concat('.jpg'),
  ])('keeps %j as it is: it is data, never an argument', (name) => {
    expect(cleanFilename(name)).toBe(name)
  })

  it.each([
    ['../x', 'x'],
    ['..\\x', 'x'],
    ['C:\\x.png', 'x.png'],
    ['/abs/path.jpg', 'path.jpg'],
    ['a\nb', 'ab'],
    ['a\r\nX: y', 'aX: y'],
    ['a\0.png', 'a.png'],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['a\u2028b\u2066c', 'abc'],
    ['a\ud800b', 'a\ufffdb'],
    ['trailing. . ', 'trailing'],
    ['  padded.jpg', 'padded.jpg'],
    ['CON', '_CON'],
    ['nul.png', '_nul.png'],
  ])('makes %j into %j', (name, clean) => {
    expect(cleanFilename(name)).toBe(clean)
  })

  it.each(['', '.', '..', '/', 'a/', '../', '\0', ' ', '...', '\u202e'])('finds nothing usable in %j', (name) => {
    expect(cleanFilename(name)).toBeUndefined()
  })

  it('cuts the stem and keeps the extension', () => {
    for (const length of [256, 4096, 1_000_000]) {
      const clean = cleanFilename(`${'é'.repeat(length)}.jpeg`) ?? ''
      expect(size(clean)).toBeLessThanOrEqual(maxFilenameBytes)
      expect(clean.endsWith('é.jpeg')).toBe(true)
    }
  })

  it('gives names that are plain, short and stable under cleaning', () => {
    // Mostly characters with a special meaning, mixed with any others, including lone surrogates.
    const telling = fc.constantFrom(...[...'./\\ aé\0\n\u202e\u2028'].map((character) => character.charCodeAt(0)))
    const codes = fc.array(fc.oneof(telling, fc.integer({ min: 0, max: 0x10ffff })), { maxLength: 300 })
    const anything = codes.map((points) => String.fromCodePoint(...points))
    fc.assert(
      fc.property(anything, (name) => {
        const clean = cleanFilename(name)
        if (clean === undefined) return
        expect(clean).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069/\\]/u)
        expect(['', '.', '..']).not.toContain(clean)
        expect(size(clean)).toBeLessThanOrEqual(maxFilenameBytes)
        expect(cleanFilename(clean)).toBe(clean)
      }),
      { numRuns: 500 },
    )
  })

  it('needs milliseconds for a megabyte', () => {
    const names = [' ', '.', '/', 'a.', '\u202e'].map((unit) => unit.repeat(1_000_000))
    expect(cpuMs(() => names.map(cleanFilename))).toBeLessThan(250)
  })
})

describe('splitName', () => {
  it('splits at the last dot and leaves dot files whole', () => {
    expect(splitName('a.tar.gz')).toEqual({ stem: 'a.tar', ext: 'gz' })
    expect(splitName('.htaccess')).toEqual({ stem: '.htaccess', ext: '' })
    expect(splitName('README')).toEqual({ stem: 'README', ext: '' })
  })
})

describe('cleanFolder', () => {
  it.each([
    ['album/day 1', 'album/day 1'],
    ['', ''],
    ['a/../b/./c', 'a/b/c'],
    ['/abs//x/', 'abs/x'],
    ['a\u202eb/con/end. ', 'ab/_con/end'],
  ])('makes %j to %j', (path, clean) => {
    expect(cleanFolder(path)).toBe(clean)
  })
})
