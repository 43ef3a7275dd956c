import { createSealer, deriveKeys, type Secret } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { openOptions, withSecrets } from './with-secrets.ts'

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

  it('restores masked secrets, so that they can be used and not printed', () => {
    const payload = withSecrets(sealer, claim({ bucket: 'b', secret_access_key: '***' }, { secret_access_key: 'hush' }))
    expect(JSON.stringify(payload)).not.toContain('hush')
    expect(payload).toMatchObject({ bucket: 'b' })
    expect((payload.secret_access_key as Secret).reveal()).toBe('hush')
  })

  it('hides a secret that looks like its mask (A4)', () => {
    const payload = withSecrets(sealer, claim({ secret_access_key: '***' }, { secret_access_key: '***' }))
    expect((payload.secret_access_key as Secret).reveal()).toBe('***')
  })

  it('leaves the options masked, and opens them for the engine alone', () => {
    const shown = { quality: 80, fit: 'max', password: '***' }
    const task = claim({ options: shown }, { options: { ...shown, password: 'hush' } })
    expect(withSecrets(sealer, task).options).toEqual(shown)
    expect(openOptions(sealer, task)).toEqual({ quality: 80, fit: 'max', password: 'hush' })
    expect(openOptions(sealer, claim({ options: { quality: 80 } }))).toEqual({ quality: 80 })
    expect(openOptions(sealer, claim({}))).toEqual({})
  })
})
