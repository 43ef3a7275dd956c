import { describe, expect, it } from 'vitest'
import { pageName } from './page-name.ts'

const url = 'https://www.pages.example/a/b.html?c'

describe('the name of a page', () => {
  it.each([
    ['mine.mhtml', 'Title', 'mine.mhtml'],
    ['mine.MHT', 'Title', 'mine.MHT'],
    ['mine', 'Title', 'mine.mhtml'],
    ['report.pdf', 'Title', 'report.pdf.mhtml'],
    [undefined, 'Title', 'Title.mhtml'],
    [undefined, 'AC/DC \\ Home: v1.2', 'AC DC Home: v1.2.mhtml'],
    [undefined, '../../etc/passwd', '.. .. etc passwd.mhtml'],
    [undefined, '  \u202e ', 'www.pages.example.mhtml'],
    [undefined, undefined, 'www.pages.example.mhtml'],
  ])('given %j and titled %j is %s [S-imp-24]', (given, title, name) => {
    expect(pageName(given, title, url)).toBe(name)
  })

  it.each([
    ['mine.pdf', 'pdf', 'mine.pdf'],
    ['mine.png', 'pdf', 'mine.png.pdf'],
    ['mine.JPEG', 'jpg', 'mine.JPEG'],
    [undefined, 'png', 'Title.png'],
  ])('given %j as %s is %s', (given, ext, name) => {
    expect(pageName(given, 'Title', url, ext)).toBe(name)
  })

  it('never gets too long', () => {
    const name = pageName(undefined, 'ä'.repeat(300), url)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    expect(name).toMatch(/ä\.mhtml$/)
  })
})
