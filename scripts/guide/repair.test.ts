import { expect, it } from 'vitest'
import { repairPage, repairScript } from './repair.ts'

it('lets people reach tables by keyboard, without headings that say nothing', () => {
  expect(repairPage('<table><tr><th>a</th><th align="right"></th></tr></table>')).toBe(
    '<table tabindex="0"><tr><th>a</th><td align="right"></td></tr></table>',
  )
})

it('leaves the keys out of the name of the search button', () => {
  const keys = '<kbd class="sl-hidden md:sl-flex x"><kbd>Ctrl</kbd><kbd>K</kbd></kbd>'
  expect(repairPage(`<button><span>Search</span>${keys}</button>`)).toBe('<button><span>Search</span></button>')
})

it('makes no landmark of code that scrolls, and gives the search field a label', () => {
  expect(repairScript('(e.setAttribute("tabindex","0"),e.setAttribute("role","region"))')).toBe(
    '(e.setAttribute("tabindex","0"))',
  )
  expect(repairScript('S(r,`title`,a=e[20](`placeholder`,e[19]))')).toBe(
    'S(r,`aria-label`,a=e[20](`placeholder`,e[19]))',
  )
})
