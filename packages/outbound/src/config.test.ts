import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { outboundConfig, outboundEnv } from './config.ts'

const read = (env: Record<string, string>) => outboundConfig(readEnv(outboundEnv, env))

describe('outboundConfig', () => {
  it('allows nothing beyond public addresses unless told', () => {
    expect(read({})).toEqual({ allow: [] })
  })

  it('reads ranges separated by commas', () => {
    expect(read({ OUTBOUND_ALLOW: '127.0.0.1/32, fd12::/32,' })).toEqual({ allow: ['127.0.0.1/32', 'fd12::/32'] })
  })

  it('refuses what is no range, so that a typing error does not open more or less than meant', () => {
    expect(() => read({ OUTBOUND_ALLOW: '10.0.0.0/8,10.0.0.1' })).toThrow('Not an address range: "10.0.0.1"')
  })
})
