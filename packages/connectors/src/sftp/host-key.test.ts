import { makeSshKey } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { fingerprintOf, parseHostKey } from './host-key.ts'

// Created with ssh-keygen, and printed with `ssh-keygen -lf`.
const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC2J9jTv5UEcG23S/lqSBw3bLmNgRQE6HEFZELf2VXEx host'
const fingerprint = 'SHA256:OvL+rtq5Bx0TBJ8mWlXpsxufXAWvNiSizviQaVKkthc'

describe('a host key', () => {
  it('is known by the fingerprint OpenSSH prints [D-store-10]', () => {
    expect(parseHostKey(line)).toEqual({ fingerprint, keyType: 'ssh-ed25519' })
    expect(fingerprintOf(Buffer.from(line.split(' ')[1] ?? '', 'base64'))).toBe(fingerprint)
  })

  it.each([`  ${line}\n`, `[files.example.com]:2222 ${line}`, `@cert-authority * ${line}`])(
    'is found in %j',
    (text) => {
      expect(parseHostKey(text)?.fingerprint).toBe(fingerprint)
    },
  )

  it.each([fingerprint, `${fingerprint}=`, ` ${fingerprint} `])('may be given as the fingerprint %j', (text) => {
    expect(parseHostKey(text)).toEqual({ fingerprint })
  })

  it.each([
    '',
    'SHA256:short',
    'MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
    'ssh-ed25519',
    'ssh-ed25519 !!!!',
    'ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIC2J9jTv5UEcG23S/lqSBw3bLmNgRQE6HEFZELf2VXEx',
    'ssh-ed25519 AAAA',
    makeSshKey().private,
  ])('is not %j', (text) => {
    expect(parseHostKey(text)).toBeUndefined()
  })
})
