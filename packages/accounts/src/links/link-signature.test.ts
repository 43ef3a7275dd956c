import { createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Link, signLink, verifyLink } from './link-signature.ts'

const key = createSecretKey(Buffer.alloc(32, 7))
const now = new Date('2026-01-01T00:00:00Z')
const link: Link = {
  taskId: '65abcdef0000000000abcdef',
  file: 3,
  generation: 0,
  expiresAt: new Date('2026-01-01T04:00:00Z'),
}
const signature = signLink(key, link)
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \0'

describe('verifyLink', () => {
  it('accepts its own signature until the second it expires, and not after [S-lim-05]', () => {
    expect(verifyLink(key, link, signature, now)).toBe(true)
    expect(verifyLink(key, link, signature, new Date('2026-01-01T03:59:59.999Z'))).toBe(true)
    expect(verifyLink(key, link, signature, link.expiresAt)).toBe(false)
  })

  it('accepts the id in either case and an expiry without milliseconds', () => {
    const fine = { ...link, expiresAt: new Date(link.expiresAt.getTime() + 999) }
    expect(verifyLink(key, { ...link, taskId: link.taskId.toUpperCase() }, signLink(key, fine), now)).toBe(true)
  })

  it('refuses every signature that differs in one character', () => {
    let tried = 0
    for (let at = 0; at < signature.length; at++) {
      for (const char of alphabet) {
        if (char === signature[at]) continue
        tried++
        const forged = signature.slice(0, at) + char + signature.slice(at + 1)
        if (verifyLink(key, link, forged, now)) expect.unreachable(forged)
      }
    }
    expect(tried).toBeGreaterThan(2_800)
  })

  it('refuses thousands of random and reshaped signatures', () => {
    const reshaped = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme', minLength: 40, maxLength: 46 }),
      fc.integer({ min: 0, max: 42 }).map((end) => signature.slice(0, end)),
      fc.string({ minLength: 1 }).map((tail) => signature + tail),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc.constant(Buffer.from(signature, 'base64url').toString('base64')),
      fc.constant(Buffer.from(signature, 'base64url').toString('hex')),
    )
    fc.assert(
      fc.property(reshaped, (forged) => forged === signature || !verifyLink(key, link, forged, now)),
      { numRuns: 5_000 },
    )
  })

  it('refuses a signature made for any other task, file, time or key [D-shape-09]', () => {
    const others: Link[] = [
      { ...link, taskId: '65abcdef0000000000abcdee' },
      { ...link, file: 4 },
      { ...link, file: 'archive' },
      { ...link, expiresAt: new Date(link.expiresAt.getTime() + 1000) },
      { ...link, expiresAt: new Date(Number.NaN) },
    ]
    for (const other of others) expect(verifyLink(key, other, signature, now)).toBe(false)
    expect(verifyLink(createSecretKey(randomBytes(32)), link, signature, now)).toBe(false)
  })

  it('refuses an invalid expiry, even when signed', () => {
    const endless = { ...link, expiresAt: new Date(Number.NaN) }
    expect(verifyLink(key, endless, signLink(key, endless), now)).toBe(false)
  })
})
