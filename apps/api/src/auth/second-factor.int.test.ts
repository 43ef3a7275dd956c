import type { ErrorBody } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ACCOUNT: '6' } })
})
afterAll(() => api[Symbol.asyncDispose]())

const password = 'seven green bottles'
const codeOf = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret) })

/** A user who has enabled a second factor. */
async function newPerson(email: string) {
  const { auth, database } = api.services
  const login = await database.transaction(async (tx) =>
    auth?.logins.create(tx, { name: 'x', email, password, isAdmin: false }),
  )
  const userId = login?.userId ?? ''
  const signIn = async (more: object = {}) => {
    const browser = openBrowser(api.app)
    const page = await browser.change<SessionView & { secondFactor?: string }>('POST', '/auth/sign-in', {
      ...{ email, password },
      ...more,
    })
    return { browser, page }
  }
  const { browser } = await signIn()
  const wrong = await browser.change<ErrorBody>('POST', '/auth/totp', { current: 'guess' })
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'current' }] } })
  const begun = await browser.change<{ secret: string; uri: string }>('POST', '/auth/totp', { current: password })
  expect(begun.body.uri).toContain('otpauth://totp/')
  const { secret } = begun.body
  const confirmed = await browser.change<{ recoveryCodes: string[] }>('POST', '/auth/totp/confirm', {
    code: codeOf(secret),
  })
  expect(confirmed.status).toBe(200)
  /** Simulates that half a minute has passed: the current code is accepted again. */
  const forget = () => database.pool.query('update totp set last_step = 0 where user_id = $1', [bytes(userId)])
  await forget()
  return { browser, secret, signIn, forget, recoveryCodes: confirmed.body.recoveryCodes }
}

it('a password opens a half-open session, which can only submit a code or sign out [D-auth-13]', async () => {
  const person = await newPerson('half@x.example')
  const { browser, page } = await person.signIn({ stay: true })
  expect(page).toMatchObject({ status: 200, body: { secondFactor: 'totp' } })
  expect(page.body).not.toHaveProperty('user')
  expect((await browser.get<SessionView>('/auth/session')).body.signedIn).toBe(false)
  for (const [method, url, body] of [
    ['POST', '/auth/token', {}],
    ['POST', '/auth/password', { current: password, password: 'eight brown bottles' }],
    ['DELETE', '/auth/totp', { current: password }],
  ] as const) {
    expect((await browser.change(method, url, body)).status, url).toBe(401)
  }
  expect((await browser.get('/auth/sessions')).status).toBe(401)
  const half = browser.cookie
  expect((await browser.change('POST', '/auth/second-factor', { code: '000000' })).status).toBe(401)
  const whole = await browser.change<SessionView>('POST', '/auth/second-factor', { code: codeOf(person.secret) })
  expect(whole).toMatchObject({ status: 200, body: { signedIn: true, user: { hasTotp: true } } })
  expect(browser.cookie).not.toBe(half)
  expect(browser.setCookie).toMatch(/Max-Age=25\d{5}$/)
  expect((await browser.change('POST', '/auth/token')).status).toBe(200)
  expect((await browser.change('POST', '/auth/second-factor', { code: codeOf(person.secret) })).status).toBe(401)
  const { browser: leaving } = await person.signIn()
  expect((await leaving.change('POST', '/auth/sign-out')).status).toBe(204)
})

it('a recovery code signs in once [D-auth-13]', async () => {
  const person = await newPerson('lost@x.example')
  for (const [code, status] of [
    [person.recoveryCodes[0], 200],
    [person.recoveryCodes[0], 401],
    [person.recoveryCodes[1], 200],
  ] as const) {
    const { browser } = await person.signIn()
    expect((await browser.change('POST', '/auth/second-factor', { code })).status).toBe(status)
  }
})

it('wrong codes are limited per account, in all sessions, except where its user has signed in before [D-auth-13]', async () => {
  const person = await newPerson('guessed@x.example')
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) {
    const { browser } = await person.signIn()
    statuses.push((await browser.change('POST', '/auth/second-factor', { code: `00000${n}` })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429])
  const { browser: own } = person
  await own.change('POST', '/auth/sign-in', { email: 'guessed@x.example', password })
  expect((await own.change('POST', '/auth/second-factor', { code: person.recoveryCodes[0] })).status).toBe(200)
})

it('is removed with the password, which is then enough', async () => {
  const person = await newPerson('removed@x.example')
  expect((await person.browser.change('DELETE', '/auth/totp', { current: 'guess' })).status).toBe(400)
  expect((await person.browser.change('DELETE', '/auth/totp', { current: password })).status).toBe(204)
  expect((await person.browser.change('DELETE', '/auth/totp', { current: password })).status).toBe(404)
  expect((await person.signIn()).page.body).toMatchObject({ signedIn: true, user: { hasTotp: false } })
})
