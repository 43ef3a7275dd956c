import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../fixtures/cpu-ms.ts'
import { findDispositionName } from './content-disposition.ts'

describe('findDispositionName', () => {
  it.each([
    ['attachment; filename=plain.jpg', 'plain.jpg'],
    ['attachment; filename="quoted name.jpg"', 'quoted name.jpg'],
    ['attachment; filename = "spaced.jpg" ', 'spaced.jpg'],
    ['attachment;filename="a;b=c.jpg";size=3', 'a;b=c.jpg'],
    ['attachment; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['ATTACHMENT; FILENAME="upper.jpg"', 'upper.jpg'],
    ['inline; filename="shown.pdf"', 'shown.pdf'],
    ['filename="no type.jpg"', 'no type.jpg'],
    ["attachment; filename*=UTF-8''na%C3%AFve%20file.txt", 'naïve file.txt'],
    ["attachment; filename*=utf-8'en'%e2%82%ac.txt", '€.txt'],
    ["attachment; filename*=ISO-8859-1''%A3%20rates.txt", '£ rates.txt'],
    ['attachment; filename="fallback.txt"; filename*=UTF-8\'\'b%C3%A9.txt', 'bé.txt'],
    ['attachment; filename*=UTF-8\'\'b%C3%A9.txt; filename="fallback.txt"', 'bé.txt'],
    ['attachment; filename*="UTF-8\'\'quoted%20all%20the%20same.txt"', 'quoted all the same.txt'],
    ["attachment; filename*=UTF-8''bad%FF.txt; filename=good.txt", 'good.txt'],
    ["attachment; filename*=KOI8-R''x; filename=good.txt", 'good.txt'],
    ['attachment; filename*=nonsense; filename=good.txt', 'good.txt'],
    ['attachment; filename=first.txt; filename=second.txt', 'first.txt'],
    ['attachment; filename="ünïcode.txt"', 'ünïcode.txt'],
    ['attachment; filename=with blank.txt', 'with blank.txt'],
    ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", '../../etc/passwd'],
  ])('finds in %s the name %s', (header, name) => {
    expect(findDispositionName(header)).toBe(name)
  })

  it.each([
    undefined,
    '',
    'attachment',
    'attachment; filename=',
    'attachment; filename=""',
    'attachment; xfilename=a.txt',
    'form-data; name="filename=x"',
  ])('finds none in %j', (header) => {
    expect(findDispositionName(header)).toBeUndefined()
  })

  it('answers hostile headers at once', () => {
    const spent = cpuMs(() => {
      for (const part of [';', ' ', '\\', '"', ';a=', ';a="', ';a="\\', "'", '%', ';a', '; \t']) {
        findDispositionName(`a; filename="${part.repeat(Math.floor(4000 / part.length))}`)
        findDispositionName(part.repeat(100_000))
      }
    })
    expect(spent).toBeLessThan(500)
  })
})
