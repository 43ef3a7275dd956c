import { Problem } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../fixtures/cpu-ms.ts'
import { parseJsonBody } from './body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('a JSON body', () => {
  it('may be empty', () => {
    expect(parse('')).toBeUndefined()
    expect(parse(' \n')).toBeUndefined()
    expect(parse('{}')).toEqual({})
  })

  it('is refused when it is not JSON or not UTF-8 [D-http-11]', () => {
    expect(() => parse('{"a":')).toThrow(new Problem('invalid_json'))
    expect(() => parseJsonBody(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('UTF-8')
  })

  it('may be nested 32 levels deep and no deeper [D-http-15]', () => {
    expect(parse(nested(31))).toBeDefined()
    expect(parse(nested(32))).toBeDefined()
    expect(() => parse(nested(33))).toThrow('nested deeper than 32')
    expect(parse(`"${'['.repeat(100)}"`)).toBe('['.repeat(100))
    expect(parse(`["\\"${'['.repeat(100)}"]`)).toHaveLength(1)
  })

  it('is refused for its depth before it is parsed, so that deep nesting costs nothing', () => {
    const body = '['.repeat(16 * 1024 * 1024)
    const spent = cpuMs(() => expect(() => parse(body)).toThrow('nested deeper than 32'))
    expect(spent).toBeLessThan(1000)
  })

  // Text in quotes does not count, whatever it contains.
  const items = (count: number) => `[${Array(count).fill('"a,b:[{"').join()}]`
  const fields = (count: number) => `{${Array.from({ length: count }, (_, n) => `"f${n}":"\\":"`).join()}}`
  const fieldsIn = (count: number) => Object.keys(parse(fields(count)) as object).length

  it('may have 99,999 values [L-body-values]', () => expect(parse(items(99_998))).toHaveLength(99_998))
  it('may have 100,000 values [L-body-values]', () => expect(parse(items(99_999))).toHaveLength(99_999))
  it('may not have 100,001 values [L-body-values]', () =>
    expect(() => parse(items(100_000))).toThrow('more than 100000 values'))
  it('may have 9,999 fields [L-body-fields]', () => expect(fieldsIn(9_999)).toBe(9_999))
  it('may have 10,000 fields [L-body-fields]', () => expect(fieldsIn(10_000)).toBe(10_000))
  it('may not have 10,001 fields [L-body-fields]', () =>
    expect(() => parse(fields(10_001))).toThrow('more than 10000 fields'))

  it('is refused when a name, a text or what is around them is longer than anything that is meant', () => {
    expect(() => parse(`{"${'x'.repeat(257)}":1}`)).toThrow('more than 256 bytes in the name of a field')
    expect(() => parse(`["${'x'.repeat(2 * 1024 ** 2 + 1)}"]`)).toThrow('more than 2097152 bytes in one text')
    expect(() => parse(`${' '.repeat(4 * 1024 ** 2)}{}`)).toThrow('more than 4194304 bytes outside of texts')
    expect(() => parse('"'.repeat(300_000))).toThrow('more than 100000 texts')
  })

  it('is refused with __proto__ or constructor.prototype at any depth', () => {
    expect(() => parse('{"a":[{"__proto__":{}}]}')).toThrow('__proto__')
    expect(() => parse('{"\\u005f_proto__":1}')).toThrow('__proto__')
    expect(() => parse('{"constructor":{"prototype":{}}}')).toThrow('constructor.prototype')
    expect(parse('{"constructor":"text"}')).toEqual({ constructor: 'text' })
  })
})
