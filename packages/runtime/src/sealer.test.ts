import { describe, expect, it } from 'vitest'
import { deriveKeys } from './keys.ts'
import { createSealer, SealingKeyMissing } from './sealer.ts'

const oldSecret = 'an old secret of at least 32 characters'
const newSecret = 'a new secret of at least 32 characters'

const sealerOf = (...secrets: [string, ...string[]]) => createSealer(deriveKeys(secrets, 'credentials'))

describe('a sealer', () => {
  const sealer = sealerOf(oldSecret)

  it('opens what it sealed for the same task, and never seals twice alike', () => {
    const sealed = sealer.seal('pässword', 'task-1')
    expect(sealer.open(sealed, 'task-1')).toBe('pässword')
    expect(sealer.seal('pässword', 'task-1')).not.toBe(sealed)
    expect(Buffer.from(sealed, 'hex').toString('latin1')).not.toContain('ssword')
  })

  it('F04 does not open what was sealed for another task', () => {
    const sealed = sealer.seal('x', 'task-1')
    expect(() => sealer.open(sealed, 'task-2')).toThrow(/authenticate/)
  })

  it('does not open what was changed anywhere', () => {
    const sealed = Buffer.from(sealer.seal('some text', 'task-1'), 'hex')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => sealer.open(changed.toString('hex'), 'task-1')).toThrow()
    }
    expect(() => sealer.open(sealed.subarray(0, 20).toString('hex'), 'task-1')).toThrow()
    expect(() => sealer.open('', 'task-1')).toThrow()
  })
})

describe('F03 another key', () => {
  const before = sealerOf(oldSecret)
  const between = sealerOf(newSecret, oldSecret)
  const after = sealerOf(newSecret)

  it('seals with the first, opens with any', () => {
    const old = before.seal('x', 'task-1')
    expect(between.open(old, 'task-1')).toBe('x')
    expect(between.isCurrent(old)).toBe(false)
    const resealed = between.seal(between.open(old, 'task-1'), 'task-1')
    expect(between.isCurrent(resealed)).toBe(true)
    expect(after.open(resealed, 'task-1')).toBe('x')
  })

  it('says by name that a key is missing, and nothing of what was sealed', () => {
    const old = before.seal('hush', 'task-1')
    expect(() => after.open(old, 'task-1')).toThrow(SealingKeyMissing)
    expect(() => after.open(old, 'task-1')).toThrow(/LATHE_ACCEPTED_SECRETS/)
  })
})
