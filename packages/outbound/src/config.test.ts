import { readEnv } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { outboundConfig, outboundEnv, warnOfOpenRanges } from './config.ts'

const read = (env: Record<string, string>) => outboundConfig(readEnv(outboundEnv, env))

describe('outboundConfig', () => {
  it('allows only public addresses by default', () => {
    expect(read({})).toEqual({ allow: [], deny: [] })
  })

  it('reads ranges separated by commas', () => {
    expect(read({ OUTBOUND_ALLOW: '127.0.0.1/32, fd12::/32,' })).toMatchObject({ allow: ['127.0.0.1/32', 'fd12::/32'] })
  })

  it('refuses invalid ranges, so that a typing error does not open more or less than intended', () => {
    expect(() => read({ OUTBOUND_ALLOW: '10.0.0.0/8,10.0.0.1' })).toThrow('"10.0.0.1" is not an address range')
  })

  it('reads allowed hosts by purpose, and denied hosts', () => {
    const allow = ['objstore_a=minio.internal:9000', 'sftp=[fd12::1]:22', 'webhook=10.3.0.0/16', 'url=10.4.0.0/16:8080']
    const deny = ['203.0.113.0/24', 'webpage=*.example.com', 'example.com:8443', '[2606:4700::/32]:443', '1.1.1.1']
    expect(read({ OUTBOUND_ALLOW: allow.join(), OUTBOUND_DENY: deny.join(', ') })).toEqual({ allow, deny })
  })

  it.each([
    ['minio.internal:9000', 'is not an address range'],
    ['10.0.0.0/8:9000', 'is not an address range'],
    ['objstore_a=minio.internal', 'has no port'],
    ['s3=minio.internal:9000', '"s3" is not a purpose'],
    ['=minio.internal:9000', '"" is not a purpose'],
    ['objstore_a=minio.internal:5432', 'never connected to'],
    ['webhook=minio.internal:22', 'never connected to'],
    ['objstore_a=fd12::1:9000', 'in brackets'],
    ['objstore_a=http://minio:9000', 'is not a place'],
    ['objstore_a=mi nio:9000', 'is not a place'],
    ['objstore_a=minio.:9000', 'no host name or address'],
    ['objstore_a=*:9000', 'no host name or address'],
    ['objstore_a=10.0.0.0/33', 'Not an address range'],
  ])('refuses to allow "%s"', (entry, why) => {
    expect(() => read({ OUTBOUND_ALLOW: entry })).toThrow(why)
  })

  it('warns of ranges that are open to all purposes, and of nothing else', () => {
    const warned: unknown[] = []
    const log = { warn: (fields: unknown) => void warned.push(fields) }
    warnOfOpenRanges(read({ OUTBOUND_ALLOW: 'webhook=10.3.0.0/16,objstore_a=minio.internal:9000' }), log)
    expect(warned).toEqual([])
    warnOfOpenRanges(read({ OUTBOUND_ALLOW: 'webhook=10.3.0.0/16,10.0.0.0/8' }), log)
    expect(warned).toEqual([{ ranges: ['10.0.0.0/8'] }])
  })
})
