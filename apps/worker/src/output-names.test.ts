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

  it('are no longer than a name may be, whatever extension and number they get', () => {
    const long = `${'ü'.repeat(125)}.jpg`
    expect(convertedName(long, 'webp', 1000)).toBe(`${'ü'.repeat(122)}-1000.webp`)
    expect(numberedNames('x'.repeat(255), ['webp'])).toEqual([`${'x'.repeat(250)}.webp`])
    expect(Buffer.byteLength(numberedNames(long, ['webp', 'html'])[1] ?? '')).toBeLessThanOrEqual(255)
  })

  it('are their own if a file has one', () => {
    expect(outputName({ format: 'csv', name: 'figures.csv' }, 'mail.eml')).toBe('figures.csv')
    expect(outputName({ format: 'pdf' }, 'mail.eml')).toBe('mail.pdf')
  })

  it('are the given name for one file', () => {
    expect(numberedNames('all.pdf', ['pdf'])).toEqual(['all.pdf'])
    expect(numberedNames('all', ['pdf'])).toEqual(['all.pdf'])
  })

  it('are numbered when one name was given for several files [D-op-15]', () => {
    expect(numberedNames('photo.jpg', ['jpg', 'png'])).toEqual(['photo-1.jpg', 'photo-2.png'])
  })
})
