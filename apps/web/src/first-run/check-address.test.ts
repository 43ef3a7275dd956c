import { expect, it } from 'vitest'
import { checkAddress } from './check-address.ts'

it('compares origins only, because a page has no other part of the public URL', () => {
  expect(checkAddress('https://files.example.com', 'https://files.example.com/lathe')).toEqual({
    seen: 'https://files.example.com',
    configured: 'https://files.example.com',
    isSame: true,
    isEncrypted: true,
    isLocal: false,
  })
})

it.each([
  ['another scheme', 'http://files.example.com'],
  ['another port', 'https://files.example.com:8443'],
  ['another name of the same machine', 'https://localhost'],
])('distinguishes %s', (_, seen) => {
  expect(checkAddress(seen, 'https://files.example.com').isSame).toBe(false)
})

it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])('knows that %s is local', (url) => {
  expect(checkAddress(url, url)).toMatchObject({ isSame: true, isEncrypted: false, isLocal: true })
})
