import { describe, expect, it } from 'vitest'
import { checkInlineSize, mostInlineBytes, parseDataUri } from './data-uri.ts'

describe('a data URI', () => {
  it('has a type, a name and data', () => {
    expect(parseDataUri('data:text/plain;name=a%20note.txt;base64,aGVsbG8=')).toEqual({
      uri: 'data:text/plain;base64,aGVsbG8=',
      filename: 'a note.txt',
      bytes: 5,
    })
    const given = parseDataUri('DATA:text/plain;charset=utf-8;Name=100%.txt;BASE64,aGk')
    expect(given).toEqual({ uri: 'data:text/plain;base64,aGk', filename: '100%.txt', bytes: 2 })
    expect(parseDataUri('data:;name=a.bin;base64,AAAA')).toMatchObject({ uri: 'data:;base64,AAAA', bytes: 3 })
  })

  it.each([
    'data:text/plain;base64,aGVsbG8=',
    'data:text/plain;name=a.txt,hello',
    'data:text/plain;filename=a.txt;base64,aGk=',
    `data:text/plain;name=${'a'.repeat(400)};base64,aGk=`,
    'data:',
  ])('is refused with its form if it is not complete: %s', (given) => {
    expect(() => parseDataUri(given)).toThrow('data:image/png;name=photo.png;base64,DATA')
  })

  it.each(['https://example.com/a.jpg', '0'.repeat(24), '/home/data:a.jpg'])('is not %s', (given) => {
    expect(parseDataUri(given)).toBeUndefined()
  })
})

describe('the size of data URIs', () => {
  const ofSize = (size: number) => {
    const data = Buffer.alloc(size).toString('base64')
    return parseDataUri(`data:;name=a.bin;base64,${data}`) ?? expect.fail()
  }

  it('is that of the bytes, with or without padding', () => {
    for (const size of [0, 1, 2, 3, 4, 5]) expect(ofSize(size).bytes).toBe(size)
    expect(parseDataUri('data:;name=a.bin;base64,AA')?.bytes).toBe(1)
  })

  it('may be 256 kB in a call, and not a byte more', () => {
    expect(() => checkInlineSize([ofSize(mostInlineBytes)])).not.toThrow()
    expect(() => checkInlineSize([ofSize(mostInlineBytes - 1), ofSize(1)])).not.toThrow()
    expect(() => checkInlineSize([ofSize(256_001)])).toThrow(/at most 256 kB .* not 256001 bytes. Call request_upload/)
    expect(() => checkInlineSize([ofSize(256_000), ofSize(1)])).toThrow('256001')
  })
})
