import { describe, expect, it } from 'vitest'
import { createSessionCookie } from './session-cookie.ts'

const value = 'A'.repeat(43)

describe('the cookie of a session', () => {
  const cookie = createSessionCookie('https://lathe.example/convert')

  it('is bound to its host and to HTTPS, and hidden from scripts [D-auth-02]', () => {
    expect(cookie.write(value)).toBe(`__Host-lathe=${value}; Path=/; HttpOnly; SameSite=Lax; Secure`)
    expect(cookie.write(value, 60)).toBe(`__Host-lathe=${value}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60`)
    expect(cookie.remove()).toBe('__Host-lathe=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0')
  })

  it('has neither prefix nor Secure over plain HTTP, where browsers would drop it [D-auth-03]', () => {
    const plain = createSessionCookie('http://192.0.2.1:8080')
    expect(plain.write(value)).toBe(`lathe=${value}; Path=/; HttpOnly; SameSite=Lax`)
    expect(plain.read(`lathe=${value}`)).toBe(value)
  })

  it('is read among others, and only whole', () => {
    expect(cookie.read(`a=b; __Host-lathe=${value}; c=d`)).toBe(value)
    expect(cookie.read(`x__Host-lathe=${value}`)).toBeUndefined()
    expect(cookie.read(`lathe=${value}`)).toBeUndefined()
    expect(cookie.read(`__Host-lathe=${value}B`)).toBeUndefined()
    expect(cookie.read(undefined)).toBeUndefined()
  })
})
