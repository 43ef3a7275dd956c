import { describe, expect, it } from 'vitest'
import { convertedName, numberedNames, outputName } from './output-names.ts'

describe('output names', () => {
  it('keep the name of the source and take the new extension', () => {
    expect(convertedName('holiday.photo.JPG', 'webp')).toBe('holiday.photo.webp')
    expect(convertedName('', 'webp')).toBe('file.webp')
  })

  it('are numbered when one source gave several files', () => {
    expect(convertedName('deck.pptx', 'png', 12)).toBe('deck-12.png')
  })

  it('are their own where a file brings one', () => {
    expect(outputName({ format: 'csv', name: 'figures.csv' }, 'mail.eml')).toBe('figures.csv')
    expect(outputName({ format: 'pdf' }, 'mail.eml')).toBe('mail.pdf')
  })

  it('are the given name for one file', () => {
    expect(numberedNames('all.pdf', ['pdf'])).toEqual(['all.pdf'])
    expect(numberedNames('all', ['pdf'])).toEqual(['all.pdf'])
  })

  it('are numbered when one name was given for several files', () => {
    expect(numberedNames('photo.jpg', ['jpg', 'png'])).toEqual(['photo-1.jpg', 'photo-2.png'])
  })
})
