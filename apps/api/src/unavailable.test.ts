import { describe, expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const withCode = (code: string) => Object.assign(new Error('connect'), { code })

describe('a part that cannot be reached', () => {
  it('is known by the error of its connection, however deep that lies', () => {
    expect(isUnavailable(withCode('ECONNREFUSED'))).toBe(true)
    expect(isUnavailable(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true)
    expect(isUnavailable(new Error('broken', { cause: withCode('ETIMEDOUT') }))).toBe(true)
    expect(isUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true)
  })

  it('is known by what the storage answers', () => {
    const answered = (httpStatusCode: number) => Object.assign(new Error('x'), { $metadata: { httpStatusCode } })
    expect(isUnavailable(answered(503))).toBe(true)
    expect(isUnavailable(answered(403))).toBe(false)
  })

  it('is not seen in a fault of ours', () => {
    for (const error of [new Error('undefined is not a function'), withCode('23505'), 'ECONNREFUSED', undefined]) {
      expect(isUnavailable(error)).toBe(false)
    }
  })
})
