import { expect, it } from 'vitest'
import { parseIdempotencyKey, requestHash } from './idempotency.ts'

const request = { method: 'POST', path: '/v1/process/jobs', body: { a: 1, b: [{ c: 2, d: 3 }] } }

it('gives requests that differ only in the order of fields the same hash', () => {
  expect(requestHash({ ...request, body: { b: [{ d: 3, c: 2 }], a: 1 } })).toBe(requestHash(request))
  expect(requestHash({ ...request, path: '/v1/process/jobs/' })).toBe(requestHash(request))
})

it('gives different requests different hashes', () => {
  expect(requestHash({ ...request, body: { a: 2, b: [{ c: 2, d: 3 }] } })).not.toBe(requestHash(request))
  expect(requestHash({ ...request, path: '/v1/process/convert' })).not.toBe(requestHash(request))
})

it('treats a missing body as an empty object', () => {
  expect(requestHash({ ...request, body: undefined })).toBe(requestHash({ ...request, body: {} }))
})

it('reads a key and refuses one that is empty, too long or not visible ASCII', () => {
  expect(parseIdempotencyKey('order-17')).toBe('order-17')
  expect(parseIdempotencyKey(undefined)).toBeUndefined()
  for (const key of ['', 'x'.repeat(256), 'a b', 'é']) expect(() => parseIdempotencyKey(key)).toThrow('Idempotency-Key')
})
