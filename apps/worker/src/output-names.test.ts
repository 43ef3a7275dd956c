import { describe, expect, it } from 'vitest'
import { convertedName, numberedNames, numberIn } from './output-names.ts'

describe('output names', () => {
  it('keep the name of the source and take the new extension', () => {
    expect(convertedName('holiday.photo.JPG', 'webp')).toBe('holiday.photo.webp')
    expect(convertedName('', 'webp')).toBe('file.webp')
  })

  it('are numbered when one source gave several files', () => {
    expect(convertedName('deck.pptx', 'png', 12)).toBe('deck-12.png')
  })

  it.each([
    ['out-0-*.png', 'out-0-007.png', 7],
    ['out-0-*.png', 'out-0-.png', undefined],
    ['out-0-*.png', 'out-0-x.png', undefined],
    ['out-0-*.png', 'out-0-1.jpg', undefined],
    ['out-0-*.png', 'out-0-1e3.png', undefined],
    ['out-0-*.png', 'out-0.png', undefined],
  ])('planned as %s find %s', (planned, name, number) => {
    expect(numberIn(planned, name)).toBe(number)
  })

  it('are the given name for one file', () => {
    expect(numberedNames('all.pdf', ['pdf'])).toEqual(['all.pdf'])
    expect(numberedNames('all', ['pdf'])).toEqual(['all.pdf'])
  })

  it('are numbered when one name was given for several files', () => {
    expect(numberedNames('photo.jpg', ['jpg', 'png'])).toEqual(['photo-1.jpg', 'photo-2.png'])
  })
})
