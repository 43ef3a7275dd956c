import { describe, expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('connect'), { code })

describe('an unavailable dependency', () => {
  it('is recognized by a connection error, however deeply nested [D-http-66]', () => {
    expect(isUnavailable(withCode('ECONNREFUSED'))).toBe(true)
    expect(isUnavailable(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true)
    expect(isUnavailable(new Error('broken', { cause: withCode('ETIMEDOUT') }))).toBe(true)
    expect(isUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true)
  })

  it('is recognized by the response of the storage', () => {
    const answered = (httpStatusCode: number) => Object.assign(new Error('x'), { $metadata: { httpStatusCode } })
    expect(isUnavailable(answered(503))).toBe(true)
    expect(isUnavailable(answered(403))).toBe(false)
  })

  it('is not reported for an internal error', () => {
    for (const error of [new Error('undefined is not a function'), withCode('23505'), 'ECONNREFUSED', undefined]) {
      expect(isUnavailable(error)).toBe(false)
    }
  })
})
