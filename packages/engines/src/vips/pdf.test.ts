import { describe, expect, it } from 'vitest'
import { pictureLimits } from '../pictures/limits.ts'

interface Pages {
  getPageCount(): number
}

const { checkPages } = (await import(new URL('./pdf.mjs', import.meta.url).href)) as {
  checkPages(document: Pages, call: { readonly limits: object }, more: number): void
}

describe('pages of a PDF made of images, 10,000', () => {
  it.each([
    ['one below', -1],
    ['the limit', 0],
    ['one above', 1],
  ])('%s [L-image-pdf]', (_, step) => {
    // 9,000 existing pages, and those that an image adds.
    const check = () => checkPages({ getPageCount: () => 9000 }, { limits: pictureLimits }, 1000 + step)
    if (step <= 0) expect(check).not.toThrow()
    else expect(check).toThrow(expect.objectContaining({ code: 'limit_exceeded' }))
  })
})
