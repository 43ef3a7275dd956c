import { describe, expect, it } from 'vitest'
import { createKeyRing, deriveKeys, formatKeys, keyPurposes, keysPattern, parseKeys, purposesOf } from './keys.ts'

const secret = 'a secret that is long enough for anyone'
const ringOf = (...secrets: [string, ...string[]]) =>
  createKeyRing(Object.fromEntries(keyPurposes.map((purpose) => [purpose, deriveKeys(secrets, purpose)])))

describe('derived keys', () => {
  it('are the same for the same secret and purpose', () => {
    expect(formatKeys(ringOf(secret), keyPurposes)).toBe(formatKeys(ringOf(secret), keyPurposes))
    expect(deriveKeys([secret], 'links')[0].secret.symmetricKeySize).toBe(32)
  })

  it('differ by purpose and by secret, and so do their ids', () => {
    const [links] = deriveKeys([secret], 'links')
    for (const other of [deriveKeys([secret], 'uploads')[0], deriveKeys([`${secret}!`], 'links')[0]]) {
      expect(other.secret.equals(links.secret)).toBe(false)
      expect(other.id).not.toBe(links.id)
    }
  })

  it('are those that earlier versions derived', () => {
    const [key] = deriveKeys([secret], 'links')
    expect(key.secret.export().toString('hex')).toBe('426fefcc06b8fd427a98f33fb2a909408acf9a7335b2fad2d6f1d2fa4916f3f7')
  })
})

describe('a key ring that is written down', () => {
  const ring = ringOf(secret, 'an older secret, also long enough for anyone')

  it('holds what its role needs and nothing else', () => {
    const worker = parseKeys(formatKeys(ring, purposesOf.worker))
    expect(formatKeys(worker, ['credentials'])).toBe(formatKeys(ring, ['credentials']))
    for (const purpose of ['api-keys', 'links', 'uploads'] as const) {
      expect(() => worker.of(purpose)).toThrow(`no key for ${purpose}`)
    }
  })

  it.each(Object.entries(purposesOf))('fits the setting for the %s', (_, purposes) => {
    expect(formatKeys(ring, purposes)).toMatch(new RegExp(keysPattern))
    expect(formatKeys(parseKeys(formatKeys(ring, purposes)), purposes)).toBe(formatKeys(ring, purposes))
  })

  it('is refused when a key was cut', () => {
    expect(() => parseKeys(formatKeys(ring, ['links']).slice(0, -1))).toThrow('no key')
  })
})
