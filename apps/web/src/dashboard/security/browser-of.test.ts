import { describe, expect, it } from 'vitest'
import { browserOf } from './browser-of.ts'

describe('the browser of a session', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36', 'Chrome · Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0.0.0 Safari/537.36 Edg/150.0', 'Edge · Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15', 'Safari · macOS'],
    ['Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 'Firefox · Android'],
    ['curl/8.5', undefined],
    [null, undefined],
  ])('of %s is %s', (userAgent, expected) => {
    expect(browserOf(userAgent)).toBe(expected)
  })
})
