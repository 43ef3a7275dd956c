import { readEnv } from '@lathe/runtime'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { accountsConfig, accountsEnv, anonymousEnv } from './config.ts'

const env = Type.Object({ ...accountsEnv.properties, ...anonymousEnv.properties })
const read = (given: Record<string, string>) => accountsConfig(readEnv(env, given))

describe('the settings of accounts', () => {
  it('turn accounts off unless they are asked for', () => {
    expect(read({}).mode).toBe('none')
    expect(() => read({ ACCOUNTS_MODE: 'everything' })).toThrow('ACCOUNTS_MODE')
  })

  it('refuse mode proxy without addresses of proxies, and invalid addresses', () => {
    expect(() => read({ ACCOUNTS_MODE: 'proxy' })).toThrow('needs ACCOUNTS_PROXIES')
    expect(() => read({ ACCOUNTS_MODE: 'proxy', ACCOUNTS_PROXIES: ' , ' })).toThrow('needs ACCOUNTS_PROXIES')
    expect(() => read({ ACCOUNTS_MODE: 'proxy', ACCOUNTS_PROXIES: 'proxy.example' })).toThrow('no address')
    const { proxy } = read({ ACCOUNTS_MODE: 'proxy', ACCOUNTS_PROXIES: '10.0.0.1, fd00::/8' })
    expect(['10.0.0.1', '::ffff:10.0.0.1', 'fd00::7', '10.0.0.2'].map((a) => proxy.addresses.has(a))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('keep browsers longer than their tasks', () => {
    expect(read({}).anonymous.idleS).toBe(48 * 3600)
    expect(() => read({ ANONYMOUS_IDLE_H: '24' })).toThrow('ANONYMOUS_IDLE_H')
  })
})
