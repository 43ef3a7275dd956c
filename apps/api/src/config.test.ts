import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const least = {
  DATABASE_URL: 'postgres://x/y',
  LATHE_SECRET: 'a secret that is long enough for anyone',
  STORAGE_KIND: 'disk',
  STORAGE_DIR: '/tmp/x',
}

describe('the configuration of the api', () => {
  it('limits to 300 requests per minute and key and 120 per address, and refuses plain HTTP by default', () => {
    expect(readConfig(least).http).toMatchObject({ perKey: 300, perAddress: 120, allowHttp: false, trustedProxies: [] })
  })

  it('reads lists, and drops the slash at the end of the public URL', () => {
    const { http } = readConfig({
      ...least,
      LATHE_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1',
      LATHE_PUBLIC_URL: 'https://lathe.example/',
    })
    expect(http).toMatchObject({ trustedProxies: ['10.0.0.0/8', '192.0.2.1'], publicUrl: 'https://lathe.example' })
  })

  it('uses the listening address for links if there is no public URL', () => {
    expect(readConfig({ ...least, HTTP_PORT: '9000' }).http.publicUrl).toBe('http://127.0.0.1:9000')
  })

  it('refuses a short secret, and a certificate without its key', () => {
    expect(() => readConfig({ ...least, LATHE_SECRET: 'short' })).toThrow('LATHE_SECRET')
    expect(() => readConfig({ ...least, TLS_CERT_FILE: '/x' })).toThrow('TLS_KEY_FILE')
  })
})

describe('the configuration of accounts', () => {
  it('requires HTTPS for cookies, unless a setting allows plain HTTP [D-auth-03]', () => {
    const withAccounts = { ...least, ACCOUNTS_MODE: 'accounts' }
    expect(() => readConfig(withAccounts)).toThrow('LATHE_PUBLIC_URL')
    expect(readConfig({ ...withAccounts, LATHE_ALLOW_HTTP: '1' }).accounts.mode).toBe('accounts')
    expect(readConfig({ ...withAccounts, LATHE_PUBLIC_URL: 'https://x.example' }).accounts.mode).toBe('accounts')
  })
})
