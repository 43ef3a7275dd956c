import { isFailure } from '@lathe/domain'
import { Secret } from '@lathe/runtime'
import ssh2 from 'ssh2'
import { describe, expect, it } from 'vitest'
import { type AskedAccess, readAccess } from './access.ts'

const given = { host: 'Files.Example.com', username: 'me', password: new Secret('hush') }

function read(asked: AskedAccess) {
  const access = readAccess(asked)
  if (isFailure(access)) throw new Error(access.code)
  return access
}

describe('access to a server', () => {
  it('is by port 22 by default, or another one given as text or number [S-store-04]', () => {
    expect(read(given)).toMatchObject({ host: 'files.example.com', port: 22, username: 'me', password: 'hush' })
    expect(read({ ...given, port: '2222' }).port).toBe(2222)
    expect(read({ ...given, port: 2223, host: 2130706433 })).toMatchObject({ port: 2223, host: '2130706433' })
  })

  it('signs with RSA keys by SHA-2 alone [D-store-13]', () => {
    const { private: text } = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })
    const { key } = read({ ...given, private_key: new Secret(text) })
    expect(key?.sign('x', 'sha256')).toBeInstanceOf(Buffer)
    expect(key?.sign('x', 'sha1')).toBeInstanceOf(Error)
    expect(key?.sign('x')).toBeInstanceOf(Error)
  })

  it('with an unreadable key does not reveal any of it', () => {
    const end = readAccess({ ...given, private_key: new Secret('my-secret-key') })
    expect(end).toMatchObject({ code: 'source_unauthorized' })
    expect(JSON.stringify(end)).not.toContain('my-secret-key')
  })
})
