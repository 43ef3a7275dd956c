import { describe, expect, it } from 'vitest'
import { runtimeConfig, runtimeEnv } from './config.ts'
import { readEnv } from './env.ts'
import { deriveKeys, formatKeys, keyPurposes, purposesOf } from './keys.ts'

const [current, previous, sealing] = ['current', 'previous', 'sealing'].map(
  (name) => `${name} secret that is long enough for one`,
)
const keysOf = (env: Record<string, string | undefined>) => runtimeConfig(readEnv(runtimeEnv, env)).keys

describe('the keys of a process', () => {
  it('come from the secret, and those of accepted secrets are kept for what is there already', () => {
    const keys = keysOf({ LATHE_SECRET: current, LATHE_ACCEPTED_SECRETS: previous })
    for (const purpose of keyPurposes)
      expect(keys.of(purpose)).toEqual(deriveKeys([current ?? '', previous ?? ''], purpose))
  })

  it('for credentials come from secrets of their own where there are some', () => {
    const keys = keysOf({ LATHE_SECRET: current, LATHE_SEALING_SECRETS: `${sealing},${current}` })
    const [first, second] = keys.of('credentials').map(({ bytes }) => bytes)
    expect([first, second]).toEqual(deriveKeys([sealing ?? '', current ?? ''], 'credentials').map(({ bytes }) => bytes))
    expect(keys.of('links')).toEqual(deriveKeys([current ?? ''], 'links'))
  })

  it('S4: of a worker that is not given the secret open credentials and nothing else', () => {
    const derived = formatKeys(keysOf({ LATHE_SECRET: current }), purposesOf.worker)
    for (const keys of [keysOf({ LATHE_KEYS: derived }), keysOf({ LATHE_SEALING_SECRETS: current })]) {
      expect(keys.of('credentials')).toEqual(deriveKeys([current ?? ''], 'credentials'))
      expect(() => keys.of('links')).toThrow('no key for links')
      expect(() => keys.of('api-keys')).toThrow('no key for api-keys')
    }
  })

  it('are never missing without notice, nor given twice', () => {
    expect(() => keysOf({})).toThrow('LATHE_SECRET is missing')
    expect(() => keysOf({ LATHE_SECRET: current, LATHE_KEYS: `links=00000000.${'0'.repeat(64)}` })).toThrow(
      'LATHE_KEYS',
    )
    expect(() => keysOf({ LATHE_SECRET: current, LATHE_ACCEPTED_SECRETS: 'short' })).toThrow('LATHE_ACCEPTED_SECRETS')
  })
})
