import { describe, expect, it } from 'vitest'
import { describeFormat, explainMisnamed, explainUnsupported, nameFormat } from './explain-format.ts'

describe('describeFormat', () => {
  it.each([
    ['msg', 'an Outlook message (msg)'],
    ['docx', 'a Word document (docx)'],
    ['xml', 'an XML document (xml)'],
    ['rar', 'a RAR archive (rar)'],
    ['mp3', 'MP3 audio (mp3)'],
    ['one', 'a OneNote section (one)'],
    ['xpm', 'an X pixmap (xpm)'],
    ['txt', 'plain text (txt)'],
    ['JPEG', 'a JPEG image (jpg)'],
    ['nope', undefined],
  ])('puts %s in words', (ext, words) => {
    expect(describeFormat(ext)).toBe(words)
  })
})

describe('the explanation for owners', () => {
  it('names what a file is, and what it is called where that is something else', () => {
    expect(nameFormat({ ext: 'msg' })).toBe('This is an Outlook message (msg)')
    expect(nameFormat({ ext: 'msg', named: 'msg' })).toBe('This is an Outlook message (msg)')
    expect(nameFormat({ ext: 'msg', named: 'doc' })).toBe('This file is named .doc but is an Outlook message (msg)')
    expect(nameFormat({ ext: 'msg', named: 'msg', declared: 'pdf' })).toContain('declared as pdf but is an Outlook')
  })

  it('does not repeat unknown spellings', () => {
    expect(nameFormat({ ext: '<b>', named: '../x' })).toBe('This is a file of unknown format')
  })

  it('says what to do if something helps', () => {
    expect(explainUnsupported({ ext: 'msg', named: 'msg' })).toBe(
      'This is an Outlook message (msg), which Lathe cannot convert yet. Save it as eml or pdf, then import that.',
    )
    expect(explainUnsupported({ ext: 'rar' }, 'compress')).toContain('cannot compress yet. Extract it')
    expect(explainUnsupported({ ext: 'ttf' })).toBe('This is a TrueType font (ttf), which Lathe cannot convert.')
  })

  it('says what a misnamed file looks like, as far as that can be seen', () => {
    expect(explainMisnamed({ ext: 'txt', named: 'png' })).toContain('named .png but looks like plain text (txt)')
    expect(explainMisnamed({ declared: 'png' })).toContain('declared as png but its content is neither that nor')
  })
})
