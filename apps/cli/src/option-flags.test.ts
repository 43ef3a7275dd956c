import { didYouMean, nearest } from '@lathe/sdk'
import { describe, expect, it } from 'vitest'
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
