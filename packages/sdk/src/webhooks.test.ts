import { describe, expect, it } from 'vitest'
import { unwrap, webhooks } from './webhooks.ts'

const now = new Date('2026-01-01T12:00:00Z')
const [secret, other] = ['whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw==', 'whsec_YW5vdGhlciBzZWNyZXQgb2YgaXQ=']
const body = JSON.stringify({ id: '66f2c1a0000100a1b2c3d4e5', type: 'job.completed', seq: 9, data: {} })

async function signed(by: string, at: Date = now, text = body) {
  const bytes = Uint8Array.from(atob(by.slice(6)), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`msg_1.${timestamp}.${text}`))
  const signature = `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

describe('unwrap', () => {
  it('gives the event of a delivery that was signed by the secret, whatever holds the headers', async () => {
    const headers = await signed(secret)
    expect(await unwrap(body, headers, secret, now)).toMatchObject({ type: 'job.completed', seq: 9 })
    expect(await unwrap(body, new Headers(headers), secret, now)).toMatchObject({ seq: 9 })
    expect(await webhooks.unwrap(body, headers, secret, now)).toMatchObject({ seq: 9 })
  })

  it('takes either of two secrets, and either of two signatures', async () => {
    const headers = await signed(other)
    expect(await unwrap(body, headers, [secret, other], now)).toMatchObject({ seq: 9 })
    const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
    expect(await unwrap(body, both, other, now)).toMatchObject({ seq: 9 })
  })

  it.each([
    ['another secret', async () => unwrap(body, await signed(other), secret, now)],
    ['a changed body', async () => unwrap(`${body} `, await signed(secret), secret, now)],
    ['an old one', async () => unwrap(body, await signed(secret, new Date(now.getTime() - 301_000)), secret, now)],
    [
      'one from the future',
      async () => unwrap(body, await signed(secret, new Date(now.getTime() + 301_000)), secret, now),
    ],
    ['no signature', async () => unwrap(body, {}, secret, now)],
    [
      'a time that is none',
      async () => unwrap(body, { ...(await signed(secret)), 'webhook-timestamp': 'x' }, secret, now),
    ],
    [
      'a broken signature',
      async () => unwrap(body, { ...(await signed(secret)), 'webhook-signature': 'v1,%' }, secret, now),
    ],
  ])('refuses %s', async (_, work) => {
    await expect(work()).rejects.toMatchObject({ name: 'WebhookError' })
  })
})
