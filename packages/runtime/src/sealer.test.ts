import { describe, expect, it } from 'vitest'
import { deriveKey } from './keys.ts'
import { createSealer } from './sealer.ts'

describe('a sealer', () => {
  const sealer = createSealer(deriveKey('a secret of at least 32 characters', 'credentials'))

  it('opens what it sealed for the same task, and never seals twice alike', () => {
    const sealed = sealer.seal('pässword', 'task-1')
    expect(sealer.open(sealed, 'task-1')).toBe('pässword')
    expect(sealer.seal('pässword', 'task-1')).not.toBe(sealed)
    expect(Buffer.from(sealed, 'hex').toString('latin1')).not.toContain('ssword')
  })

  it('does not open what was sealed for another task, with another key, or was changed', () => {
    const sealed = sealer.seal('x', 'task-1')
    expect(() => sealer.open(sealed, 'task-2')).toThrow()
    expect(() =>
      createSealer(deriveKey('another secret of 32 characters...', 'credentials')).open(sealed, 'task-1'),
    ).toThrow()
    const changed = sealed.slice(0, -1) + (sealed.endsWith('0') ? '1' : '0')
    expect(() => sealer.open(changed, 'task-1')).toThrow()
  })
})
