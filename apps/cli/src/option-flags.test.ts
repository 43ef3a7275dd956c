import { didYouMean, nearest } from '@lathe/sdk'
import { describe, expect, it } from 'vitest'
import { asFormat } from './as-format.ts'
import { formatOf, nameOf } from './batch/place.ts'
import { formats } from './generated/option-flags.ts'
import { takeOptionFlags } from './option-flags.ts'
import { toBytes } from './option-values.ts'

const own = new Set(['--to', '--output'])

describe('flags of formats’ options', () => {
  it('are distinguished from files and from flags of the command', () => {
    const args = [
      'convert',
      'a.jpg',
      '--to',
      'webp',
      '--quality',
      '60',
      '--strip',
      'b.jpg',
      '--width=80',
      '--no-lossless',
    ]
    const { rest, given } = takeOptionFlags(args, own)
    expect(rest).toEqual(['convert', 'a.jpg', '--to', 'webp', 'b.jpg'])
    expect(Object.fromEntries(given)).toEqual({ quality: '60', strip: 'true', width: '80', lossless: 'false' })
  })

  it('end at --: what follows are files', () => {
    expect(takeOptionFlags(['convert', '--', '--quality', 'x'], own).rest).toEqual(['convert', '--', '--quality', 'x'])
  })

  it('are refused without their value, or if there are none of the name', () => {
    expect(() => takeOptionFlags(['convert', '--quality'], own)).toThrow('--quality needs a value.')
    expect(() => takeOptionFlags(['convert', '--qualty', '3'], own)).toThrow('Did you mean --quality?')
    expect(() => takeOptionFlags(['convert', '--zzzzzzzzz'], own)).toThrow('There is no flag --zzzzzzzzz. See')
  })
})

it('sizes are read with their units', () => {
  expect(['2MB', '500kB', '1.5MiB', '7', '1 GB'].map(toBytes)).toEqual([2e6, 5e5, 1_572_864, 7, 1e9])
  expect(['', 'x', '2XB', '-1'].map(toBytes)).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN])
})

it('the nearest word within a few edits is found, or none', () => {
  expect(nearest('wepb', ['jpg', 'webp', 'png'])).toBe('webp')
  expect(nearest('qualty', ['quality', 'width'])).toBe('quality')
  expect(didYouMean('something', ['jpg', 'png'])).toBe('')
})

it.each([
  ['pfd', 'pdf'],
  ['dcox', 'docx'],
  ['pgn', 'png'],
  ['jpge', 'jpg'],
  ['jgp', 'jpg'],
  ['pn', 'png'],
  ['mp5', 'mp4'],
  ['targz', 'tar.gz'],
])('suggests for the format %s the one that is meant: %s', (given, meant) => {
  expect(nearest(given, formats)).toBe(meant)
})

it('suggests a swap of letters before another letter', () => {
  expect(nearest('jpge', ['jpg', 'jpeg'])).toBe('jpeg')
})

it.each([
  ['PDF', 'pdf'],
  ['.webp', 'webp'],
  ['tar.gz', 'tar.gz'],
  ['.tar.bz2', 'tar.bz2'],
  ['tar.xz', 'tar.xz'],
  ['tar.zst', 'tar.zst'],
  ['brandnew', 'brandnew'],
])('reads the format %s as %s', (given, format) => {
  expect(asFormat(given)).toBe(format)
})

it('refuses a misspelled format, and suggests another', () => {
  expect(() => asFormat('pfd')).toThrow('Did you mean pdf?')
})

it('names a result after its file, without the whole extension', () => {
  const named = (inTree: string) => [formatOf({ inTree }), nameOf({ path: inTree, inTree }, 'zip')]
  expect(named('photos.tar.gz')).toEqual(['tar.gz', 'photos.zip'])
  expect(named('sub/my.photo.JPG')).toEqual(['jpg', 'my.photo.zip'])
  expect(named('README')).toEqual(['', 'README.zip'])
})
