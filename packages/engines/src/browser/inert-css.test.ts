import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../fixtures/cpu-ms.ts'

const script = new URL('./inert-css.mjs', import.meta.url).href
const { inertCss } = (await import(script)) as {
  inertCss(css: string, base: string, marks: Record<string, string>): string
}

const marks = { 'http://page/a.png': 'mark-a', 'http://page/a(1).png': 'mark-b' }
const inert = (css: string) => inertCss(css, 'http://page/', marks)

describe('a style sheet', () => {
  it.each([
    ['url(a.png)', 'url("mark-a")'],
    ['url( "a.png" )', 'url("mark-a")'],
    ["URL('a.png')", 'url("mark-a")'],
    ['url("a(1).png")', 'url("mark-b")'],
    ['@import "a.png";', '@import url("mark-a");'],
    ["@import'a.png';", '@import url("mark-a");'],
    ['url(#inner)', 'url("#inner")'],
    ['url()', 'url("data:,")'],
    ['url( )', 'url("data:,")'],
    ['url(http://else/x.png)', 'url("data:,")'],
    ['url(http://else/\\(x\\).png)', 'url("data:,")'],
  ])('%s becomes %s', (css, expected) => {
    expect(inert(css)).toBe(expected)
  })

  it('of a megabyte without an end is read at once', () => {
    const sheets = ['url(', 'url( ', "url('", '@import ', 'url(\\'].map((piece) => piece.repeat(200_000))
    const all = [...sheets, `url(${'\t'.repeat(1_000_000)}`]
    expect(cpuMs(() => all.map(inert))).toBeLessThan(5_000)
  })
})
