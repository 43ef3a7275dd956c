import { describe, expect, it } from 'vitest'
import { runtimeConfig, runtimeEnv } from './config.ts'
import { readEnv } from './env.ts'
import { deriveKeys, formatKeys, type Keys, keyPurposes, purposesOf } from './keys.ts'

const [current, previous, sealing] = ['current', 'previous', 'sealing'].map(
  (name) => `${name} secret that is long enough for one`,
)
const keysOf = (env: Record<string, string | undefined>) => runtimeConfig(readEnv(runtimeEnv, env)).keys
const written = (keys: Keys) => keys.map(({ id, secret }) => [id, secret.export().toString('hex')])

describe('the keys of a process', () => {
  it('are derived from the secret, and those of accepted secrets are kept for existing data', () => {
    const keys = keysOf({ LATHE_SECRET: current, LATHE_ACCEPTED_SECRETS: previous })
    for (const purpose of keyPurposes)
      expect(written(keys.of(purpose))).toEqual(written(deriveKeys([current ?? '', previous ?? ''], purpose)))
  })

  it('for credentials come from secrets of their own where there are some', () => {
    const keys = keysOf({ LATHE_SECRET: current, LATHE_SEALING_SECRETS: `${sealing},${current}` })
    expect(written(keys.of('credentials'))).toEqual(written(deriveKeys([sealing ?? '', current ?? ''], 'credentials')))
    expect(written(keys.of('links'))).toEqual(written(deriveKeys([current ?? ''], 'links')))
  })

  it('S4: of a worker that is not given the secret open credentials and nothing else', () => {
    const derived = formatKeys(keysOf({ LATHE_SECRET: current }), purposesOf.worker)
    for (const keys of [keysOf({ LATHE_KEYS: derived }), keysOf({ LATHE_SEALING_SECRETS: current })]) {
      expect(written(keys.of('credentials'))).toEqual(written(deriveKeys([current ?? ''], 'credentials')))
      expect(() => keys.of('links')).toThrow('no key for links')
      expect(() => keys.of('api-keys')).toThrow('no key for api-keys')
    }
  })

  it('are never missing without an error, nor given twice', () => {
    expect(() => keysOf({})).toThrow('LATHE_SECRET is missing')
    expect(() => keysOf({ LATHE_SECRET: current, LATHE_KEYS: `links=00000000.${'0'.repeat(64)}` })).toThrow(
      'LATHE_KEYS',
    )
    expect(() => keysOf({ LATHE_SECRET: current, LATHE_ACCEPTED_SECRETS: 'short' })).toThrow('LATHE_ACCEPTED_SECRETS')
  })
})
