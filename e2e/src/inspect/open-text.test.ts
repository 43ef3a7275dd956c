import { describe, expect, it } from 'vitest'
import { openText, stripMarks } from './open-text.ts'

const open = (format: string, text: string) => openText({ format, bytes: Buffer.from(text) })

describe('a text', () => {
  it.each([
    ['rtf', '{\\rtf1 a \\{ b}'],
    ['html', '<!DOCTYPE html><html><body>x</body></html>\n'],
    ['hocr', "<html><body><div class='ocr_page'></div></body></html>\n"],
    ['csv', 'a,b\n'],
    ['txt', 'x'],
  ])('is opened as %s', (format, text) => {
    expect(open(format, text)).toEqual({ format })
  })

  it.each([
    ['rtf', '{\\rtf1 a'],
    ['rtf', '{\\rtf1 a}}'],
    ['html', '<html><body>x'],
    ['hocr', '<html></html>'],
    ['csv', 'one'],
    ['txt', ' \n'],
    ['txt', 'a\0b'],
  ])('is refused as %s: %j', (format, text) => {
    expect(() => open(format, text)).toThrow(`no ${format}`)
  })

  it('must be UTF-8', () => {
    expect(() => openText({ format: 'txt', bytes: Buffer.from([0xff, 0x41]) })).toThrow()
  })

  it('loses its markup and keeps its words', () => {
    const page = '<style>p{}</style><p>Gr&uuml;n &amp; <b>bl&#228;u</b> &#x4e16;</p>'
    expect(stripMarks(page).replaceAll(/\s+/g, ' ').trim()).toBe('Gr&uuml;n & bläu 世')
  })
})
