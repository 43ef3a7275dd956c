import { describe, expect, it } from 'vitest'
import { toCaptureRequest } from './capture-request.ts'
import { toShotRequest } from './shot-request.ts'

const url = 'https://pages.example/'

describe('what a browser is asked for by a capture', () => {
  it('is a PDF on A4 with print styles by default', () => {
    const { take, ...rest } = toShotRequest(url, {})
    expect(rest).toEqual({
      ...toCaptureRequest(url, { media: 'print' }),
      output: 'page.pdf',
      scroll: { ms: 5000, maxHeight: 16_384 },
    })
    const mm = (inches: number) => Math.round(inches * 25.4)
    const { print } = take as { print: Record<string, number> }
    expect([mm(print.paperWidth ?? 0), mm(print.paperHeight ?? 0), mm(print.marginTop ?? 0)]).toEqual([210, 297, 10])
    expect(print).toMatchObject({ landscape: false, printBackground: true, scale: 1 })
    expect(print).not.toHaveProperty('displayHeaderFooter')
  })

  it('is printed as the payload says', () => {
    const sheet = { paper_size: 'letter', orientation: 'landscape', margin: 0, scale: 0.5 } as const
    const shown = { print_background: false, pages: '1-2', header: '{page}', media: 'screen' } as const
    const request = toShotRequest(url, { ...sheet, ...shown })
    expect(request).toMatchObject({
      media: 'screen',
      take: {
        print: {
          paperWidth: 8.5,
          landscape: true,
          marginLeft: 0,
          marginTop: 12 / 25.4,
          printBackground: false,
          scale: 0.5,
          pageRanges: '1-2',
          displayHeaderFooter: true,
        },
      },
    })
  })

  it('is an image of the whole page as a screen shows it, or of the window', () => {
    expect(toShotRequest(url, { output_format: 'png' })).toMatchObject({
      output: 'page.png',
      media: 'screen',
      scroll: {},
      take: { picture: { format: 'png', isWhole: true, maxHeight: 16_384 } },
    })
    const window = toShotRequest(url, { output_format: 'jpg', full_page: false, quality: 40 })
    expect(window).toMatchObject({
      output: 'page.jpg',
      take: { picture: { format: 'jpeg', quality: 40, isWhole: false } },
    })
    expect(window).not.toHaveProperty('scroll')
    expect(toShotRequest(url, { output_format: 'jpg' })).toMatchObject({ take: { picture: { quality: 90 } } })
  })

  it('is an archive as import/webpage makes it', () => {
    const request = toShotRequest(url, { output_format: 'mhtml' })
    expect(request).toMatchObject(toCaptureRequest(url, {}))
    expect(request).not.toHaveProperty('take')
  })

  it('waits for an element when one is named', () => {
    const selector = "a[title='x\"]');alert(1)//"
    expect(toShotRequest(url, { wait_for: selector })).toMatchObject({ waitFor: { selector, ms: 10_000 } })
    expect(toShotRequest(url, {})).not.toHaveProperty('waitFor')
  })

  it('keeps credentials out of the address', () => {
    expect(toShotRequest('https://user:word@pages.example/', {})).toMatchObject({
      url,
      credentials: { username: 'user', password: 'word' },
    })
  })
})
