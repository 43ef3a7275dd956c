import { createSealer, deriveKeys, type Secret } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { revealOptions, withSecrets } from './with-secrets.ts'

const sealer = createSealer(deriveKeys(['a secret of the installation, long enough'], 'credentials'))

function claim(payload: Record<string, unknown>, secrets?: unknown) {
  const task = { id: '0123456789abcdef01234567', payload }
  const sealed = secrets === undefined ? null : sealer.seal(JSON.stringify(secrets), task.id)
  return { task, sealed } as Parameters<typeof withSecrets>[1]
}

describe('withSecrets', () => {
  it('leaves a payload without secrets as it is', () => {
    expect(withSecrets(sealer, claim({ url: 'http://a.example/' }))).toEqual({ url: 'http://a.example/' })
  })

  it('puts back what was hidden, so that it can be used and not printed', () => {
    const payload = withSecrets(sealer, claim({ bucket: 'b', secret_access_key: '***' }, { secret_access_key: 'hush' }))
    expect(JSON.stringify(payload)).not.toContain('hush')
    expect(payload.bucket).toBe('b')
    expect((payload.secret_access_key as Secret).reveal()).toBe('hush')
  })

  it('hides of the options only those that are secrets, and reveals them to the engine', () => {
    const shown = { quality: 80, fit: 'max', password: '***' }
    const { options } = withSecrets(sealer, claim({ options: shown }, { options: { ...shown, password: 'hush' } }))
    expect(JSON.stringify(options)).toBe('{"quality":80,"fit":"max","password":"[secret]"}')
    expect(revealOptions(options)).toEqual({ quality: 80, fit: 'max', password: 'hush' })
    expect(revealOptions(undefined)).toEqual({})
  })
})
