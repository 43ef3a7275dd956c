import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxBase64Length, parseDataUri } from './data-uri.ts'

describe('parseDataUri', () => {
  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
        const text = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`
        expect(parseDataUri(text)?.bytes).toEqual(bytes)
      }),
    )
  })

  it.each([
    ['data:image/png;base64,aGk=', 'image/png'],
    ['DATA:Image/PNG;BASE64,aGk=', 'image/png'],
    ['data:;base64,aGk=', 'text/plain'],
    ['data:text/plain;charset=utf-8;base64,aGk=', 'text/plain'],
    ['data:text/plain;name="a b";base64,aGk=', 'text/plain'],
    ['data:image/svg+xml;base64,aGk=', 'image/svg+xml'],
    ['data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,aGk=', expect.any(String)],
  ])('reads %s', (text, mediaType) => {
    expect(parseDataUri(text)).toEqual({ mediaType, bytes: new TextEncoder().encode('hi') })
  })

  it('reads an empty file', () => {
    expect(parseDataUri('data:text/plain;base64,')?.bytes).toHaveLength(0)
  })

  it.each([
    '',
    'aGk=',
    'data:image/png,aGk=',
    'data:image/png;base64',
    'data:image/png;base64;x=y,aGk=',
    'data:png;base64,aGk=',
    'data:image/;base64,aGk=',
    ' data:image/png;base64,aGk=',
    'data:image/png; base64,aGk=',
    'data:image/png;base64,aGk',
    'data:image/png;base64,aGk==',
    'data:image/png;base64,aGl=',
    'data:image/png;base64,a=Gk',
    'data:image/png;base64,aGk=aGk=',
    'data:image/png;base64,aG k=',
    'data:image/png;base64,aGk=\n',
    'data:image/png;base64,a-_=',
    'data:image/png;base64,%61Gk=',
    'data:image/png;base64,aGkä',
    'data:image/png;base64,====',
    `data:image/png${';a=b'.repeat(200)};base64,aGk=`,
  ])('refuses %j', (text) => {
    expect(parseDataUri(text)).toBeUndefined()
  })

  it('reads the longest content allowed, and answers hostile heads at once', () => {
    const full = parseDataUri(`data:image/png;base64,${'A'.repeat(maxBase64Length)}`)
    expect(full?.bytes).toHaveLength((maxBase64Length / 4) * 3)
    const startedAt = performance.now()
    for (const part of [';', 'a', ';a=', ';a="', '/', ';base64']) {
      parseDataUri(`data:${part.repeat(Math.floor(500 / part.length))},A`)
      parseDataUri(`data:${part.repeat(100_000)},A`)
    }
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})
