import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSigned } from './verify.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const [secret, other] = ['whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==', 'whsec_YW5vdGhlciBzZWNyZXQgb2YgaXQ=']
const body = Buffer.from('{"type":"job.completed"}')

function signed(by: string, atMs = now): Record<string, string> {
  const timestamp = String(atMs / 1000)
  const key = Buffer.from(by.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

it('accepts a body that was signed with the secret, also next to another signature', () => {
  const headers = signed(secret)
  expect(isSigned(body, headers, secret, now)).toBe(true)
  const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
  expect(isSigned(body, both, secret, now)).toBe(true)
})

it.each([
  ['another secret', body, signed(other)],
  ['a changed body', Buffer.from('{}'), signed(secret)],
  ['an old delivery', body, signed(secret, now - 301_000)],
  ['one from the future', body, signed(secret, now + 301_000)],
  ['no signature', body, {}],
  ['a time that is none', body, { ...signed(secret), 'webhook-timestamp': 'x' }],
  ['an empty signature', body, { ...signed(secret), 'webhook-signature': 'v1,' }],
  ['a signature of another version', body, { ...signed(secret), 'webhook-signature': 'v2,AAAA' }],
])('refuses %s', (_, content, headers) => {
  expect(isSigned(content, headers, secret, now)).toBe(false)
})
