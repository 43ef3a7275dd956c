import { describe, expect, it } from 'vitest'
import { deriveKey } from './keys.ts'

const secret = 'a secret that is long enough for anyone'

describe('derived keys', () => {
  it('are the same for the same secret and purpose', () => {
    expect(deriveKey(secret, 'links')).toEqual(deriveKey(secret, 'links'))
    expect(deriveKey(secret, 'links')).toHaveLength(32)
  })

  it('differ by purpose and by secret', () => {
    expect(deriveKey(secret, 'links')).not.toEqual(deriveKey(secret, 'uploads'))
    expect(deriveKey(secret, 'links')).not.toEqual(deriveKey(`${secret}!`, 'links'))
  })
})
