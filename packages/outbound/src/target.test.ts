import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { isPublicName } from './hostname.ts'
import { isAllowedPort } from './ports.ts'
import { parseTarget } from './target.ts'

describe('parseTarget', () => {
  it('turns userinfo of the URL into an Authorization header', () => {
    const target = parseTarget('https://jo%40x:p%3Aw@files.example.com:8443/a?b=c#d')
    expect(target).toMatchObject({ host: 'files.example.com', port: 8443, secure: true, isAddress: false })
    if (isFailure(target)) throw new Error('refused')
    expect(target.url.href).toBe('https://files.example.com:8443/a?b=c')
    expect(target.authorization).toBe(`Basic ${Buffer.from('jo@x:p:w').toString('base64')}`)
  })

  it('leaves a lone percent sign in userinfo unchanged', () => {
    const authorization = `Basic ${Buffer.from('a%:').toString('base64')}`
    expect(parseTarget('http://a%@example.com/')).toMatchObject({ authorization })
  })

  it('returns an IPv6 host without its brackets', () => {
    expect(parseTarget('http://[2606:4700::1]/')).toMatchObject({ host: '2606:4700::1', isAddress: true, port: 80 })
  })

  it('resolves a redirect against its origin URL', () => {
    const target = parseTarget('../b?c', new URL('https://example.com/x/a'))
    expect(isFailure(target) || target.url.href).toBe('https://example.com/b?c')
  })

  it('makes international names ASCII', () => {
    expect(parseTarget('https://bücher.example.com/ü')).toMatchObject({ host: 'xn--bcher-kva.example.com' })
  })

  it('refuses what is longer than any URL in use', () => {
    expect(parseTarget(`http://example.com/${'a'.repeat(8172)}`)).toMatchObject({ host: 'example.com' })
    expect(parseTarget(`http://example.com/${'a'.repeat(8174)}`)).toMatchObject({ code: 'url_forbidden' })
  })

  it('reveals nothing but the code of what it refuses', () => {
    expect(parseTarget('http://user:secret@files..example.com/')).toEqual({
      kind: 'failure',
      code: 'url_forbidden',
      detail: 'host name',
    })
  })
})

describe('isAllowedPort', () => {
  it.each([80, 443, 1024, 3000, 8000, 8080, 8443, 9000, 65_535])('takes %i', (port) => {
    expect(isAllowedPort(port)).toBe(true)
  })

  it.each([
    0, 21, 22, 23, 25, 53, 81, 110, 445, 1023, 2049, 2375, 3306, 5432, 6379, 6667, 10_250, 11_211, 27_017, 65_536,
  ])('refuses %i', (port) => {
    expect(isAllowedPort(port)).toBe(false)
  })
})

describe('isPublicName', () => {
  it.each(['example.com', 'a-b.c_d.example.co.uk', 'xn--bcher-kva.example', `${'a'.repeat(63)}.com`])(
    'takes %s',
    (name) => {
      expect(isPublicName(name)).toBe(true)
    },
  )

  it.each([
    '',
    '.',
    'host',
    'example.com.',
    'a..b',
    '-a.com',
    'a.localhost',
    'x.internal',
    'x.local',
    'a.123',
    `${'a'.repeat(64)}.com`,
  ])('refuses "%s"', (name) => {
    expect(isPublicName(name)).toBe(false)
  })

  it('refuses a name longer than DNS carries', () => {
    expect(isPublicName(`${'a.'.repeat(125)}com`)).toBe(true)
    expect(isPublicName(`${'a.'.repeat(126)}com`)).toBe(false)
  })
})
