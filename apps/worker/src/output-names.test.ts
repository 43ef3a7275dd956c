import { describe, expect, it } from 'vitest'
import { convertedName, numberedNames } from './output-names.ts'

describe('output names', () => {
  it('keep the name of the source and take the new extension', () => {
    expect(convertedName('holiday.photo.JPG', 'webp')).toBe('holiday.photo.webp')
    expect(convertedName('', 'webp')).toBe('file.webp')
  })

  it('are numbered when one source gave several files', () => {
    expect(convertedName('deck.pptx', 'png', 12)).toBe('deck-12.png')
  })

  it('are the given name for one file', () => {
    expect(numberedNames('all.pdf', ['pdf'])).toEqual(['all.pdf'])
    expect(numberedNames('all', ['pdf'])).toEqual(['all.pdf'])
  })

  it('are numbered when one name was given for several files', () => {
    expect(numberedNames('photo.jpg', ['jpg', 'png'])).toEqual(['photo-1.jpg', 'photo-2.png'])
  })
})
