import { describe, expect, it } from 'vitest'
import { headerMargin, toHeaderFooter } from './header-footer.ts'

const now = new Date('2026-11-05T23:30:00Z')
/** The content of the template, without its frame. */
const inside = (text: string) =>
  /^<div style="[^"]*">(.*)<\/div>$/.exec(String(toHeaderFooter({ header: text }, now).headerTemplate))?.[1]

describe('a header', () => {
  it.each([
    ['Plain', 'Plain'],
    ['{page} of {pages}', '<span class="pageNumber"></span> of <span class="totalPages"></span>'],
    ['{title}, {url}', '<span class="title"></span>, <span class="url"></span>'],
    ['as of {date}', 'as of 2026-11-05'],
    ['{page}{page}', '<span class="pageNumber"></span><span class="pageNumber"></span>'],
    ['{toString} {', '{toString} {'],
    ['<script>alert(1)</script>', '&#60;script&#62;alert(1)&#60;/script&#62;'],
    [
      '{page}<img src="http://a.example/">',
      '<span class="pageNumber"></span>&#60;img src=&#34;http://a.example/&#34;&#62;',
    ],
    ["R&D &lt; '{date}'", 'R&#38;D &#38;lt; &#39;2026-11-05&#39;'],
  ])('of %s is text, with what is known filled in [S-imp-33]', (text, html) => {
    expect(inside(text)).toBe(html)
  })

  it('is nothing when there is none', () => {
    expect(toHeaderFooter({ margin: 0 })).toEqual({})
  })

  it('adds a margin at its own edge, unless it is large enough', () => {
    const inches = (mm: number) => mm / 25.4
    expect(toHeaderFooter({ header: 'a', margin: 0 })).toMatchObject({ marginTop: inches(headerMargin) })
    expect(toHeaderFooter({ header: 'a', margin: 0 })).not.toHaveProperty('marginBottom')
    expect(toHeaderFooter({ footer: 'a' })).toMatchObject({ marginBottom: inches(headerMargin) })
    expect(toHeaderFooter({ footer: 'a', margin: 30 })).toMatchObject({ marginBottom: inches(30) })
  })

  it('does not add the default footer of the browser', () => {
    expect(toHeaderFooter({ header: 'a' })).toMatchObject({ footerTemplate: '<span></span>' })
    expect(toHeaderFooter({ footer: 'a' })).toMatchObject({ headerTemplate: '<span></span>' })
  })
})
