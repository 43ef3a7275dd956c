import { ConnectionError, RequestError } from '@lathe/sdk'
import { expect, it } from 'vitest'
import { createBook } from './book.ts'

it('records refused and lost requests, and the time of each response to a POST', async () => {
  const book = createBook()
  const refusal = new RequestError({ status: 503, errorCode: 'unavailable', msg: 'Try again later.' })
  const lost = new ConnectionError('http://127.0.0.1:1 cannot be reached.', {
    cause: new TypeError('fetch failed', { cause: new Error('ECONNRESET') }),
  })
  expect(await book.request('POST /a', async () => 'created')).toBe('created')
  expect(await book.request('GET /b', async () => 'shown')).toBe('shown')
  expect(await book.request('POST /c', () => Promise.reject(refusal))).toBeUndefined()
  expect(await book.request('POST /d', () => Promise.reject(lost))).toBeUndefined()
  expect(book.phases[0]?.requests).toHaveLength(2)
  expect(book.phases[0]?.rejected).toEqual([
    'POST /c: 503 unavailable: Try again later.',
    'POST /d: http://127.0.0.1:1 cannot be reached.: fetch failed: ECONNRESET',
  ])
})
