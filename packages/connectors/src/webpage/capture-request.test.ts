import { captureBounds, pageBounds } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { toCaptureRequest } from './capture-request.ts'
import { browserLimits, captureLimits, pagePatience, scrollMs } from './limits.ts'

describe('what a browser is asked for', () => {
  it('has default size, waiting time and media', () => {
    expect(toCaptureRequest('https://pages.example/a#b', {})).toEqual({
      op: 'capture',
      url: 'https://pages.example/a#b',
      socket: 'proxy.sock',
      output: 'page.mhtml',
      viewport: { width: 1280, height: 800 },
      media: 'screen',
      waitMs: 2000,
      openMs: 20_000,
      loadMs: 20_000,
      quietMs: 500,
    })
  })

  it('is what the payload says', () => {
    const payload = { viewport_width: 320, viewport_height: 640, wait_ms: 0, media: 'print' } as const
    expect(toCaptureRequest('http://pages.example/', payload)).toMatchObject({
      viewport: { width: 320, height: 640 },
      waitMs: 0,
      media: 'print',
    })
  })

  it('keeps credentials out of the address [S-imp-28]', () => {
    expect(toCaptureRequest('https://us%40er:p%C3%A4ss%@pages.example/', {})).toMatchObject({
      url: 'https://pages.example/',
      credentials: { username: 'us@er', password: 'p%C3%A4ss%' },
    })
  })

  it('leaves time for the browser itself [L-page-time]', () => {
    const { openMs, loadMs } = pagePatience
    expect(openMs + loadMs + 10_000).toBeLessThan(browserLimits.timeMs)
  })

  it('leaves time to print or draw what was waited for longest [L-page-time]', () => {
    const waits = pagePatience.openMs + pagePatience.loadMs + pageBounds.waitMs + captureBounds.waitForMs + scrollMs
    expect(waits + 20_000).toBeLessThan(captureLimits.timeMs)
  })
})
