import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../testing/authenticator.ts'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ADDRESS: '1000' } })
})
afterAll(() => api[Symbol.asyncDispose]())

const origin = 'https://lathe.test'
const password = 'seven green bottles'
type Options = { challenge: string }
let people = 0

async function newPerson() {
  people += 1
  const email = `passkey-${people}@x.example`
  const { auth, database } = api.services
  await database.transaction(async (tx) => auth?.logins.create(tx, { name: 'x', email, password, isAdmin: false }))
  const browser = openBrowser(api.app)
  await browser.change('POST', '/auth/sign-in', { email, password })
  return { email, browser }
}

const offer = async (browser: Browser) =>
  (await browser.change<Options>('POST', '/auth/passkeys/options', { current: password })).body
const ask = async (browser: Browser) => (await browser.change<Options>('POST', '/auth/passkeys/sign-in/options')).body
const signIn = (browser: Browser, response: object, more: object = {}) =>
  browser.change<SessionView>('POST', '/auth/passkeys/sign-in', { response, ...more })

/** A user with a passkey. */
async function newHolder() {
  const person = await newPerson()
  const authenticator = createAuthenticator(origin)
  const response = authenticator.create(await offer(person.browser))
  const made = await person.browser.change<{ id: string }>('POST', '/auth/passkeys/confirm', {
    name: 'phone',
    response,
  })
  expect(made.status).toBe(201)
  return { ...person, authenticator, id: made.body.id }
}

describe('a passkey', () => {
  it('is added by who knows the password, signs in without one, is listed and removed [D-auth-15]', async () => {
    const { browser, authenticator, email, id } = await newHolder()
    const refused = await browser.change('POST', '/auth/passkeys/options', { current: 'guess' })
    expect(refused.status).toBe(400)
    const fresh = openBrowser(api.app)
    const page = await signIn(fresh, authenticator.get(await ask(fresh)), { stay: true })
    expect(page).toMatchObject({ status: 200, body: { signedIn: true, user: { email } } })
    expect(fresh.setCookie).toMatch(/Max-Age=25\d{5}$/)
    const listed = await fresh.get<{ data: object[] }>('/auth/passkeys')
    expect(listed.body.data).toMatchObject([{ id, name: 'phone', lastUsedAt: expect.stringMatching(/Z$/) }])
    expect((await fresh.change('DELETE', `/auth/passkeys/${id}`)).status).toBe(204)
    expect((await signIn(fresh, authenticator.get(await ask(fresh)))).status).toBe(401)
    const headers = { authorization: `Bearer ${await fresh.token()}` }
    const log = await api.app.inject({ url: '/v1/audit', headers })
    expect(log.json().docs.map(({ action }: { action: string }) => action)).toEqual([
      ...['passkey.removed', 'session.opened', 'passkey.added', 'session.opened'],
    ])
  })

  it('can answer a challenge only once [D-auth-15]', async () => {
    const { authenticator } = await newHolder()
    const browser = openBrowser(api.app)
    const answer = authenticator.get(await ask(browser))
    expect((await signIn(browser, answer)).status).toBe(200)
    expect((await signIn(openBrowser(api.app), answer)).status).toBe(401)
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['an authenticator that has not checked who uses it', { isVerified: false }],
    ['a copy, whose counter has not risen', { counter: 1 }],
  ])('is refused from %s [D-auth-15]', async (_, behaviour) => {
    const { authenticator } = await newHolder()
    const browser = openBrowser(api.app)
    expect((await signIn(browser, authenticator.get(await ask(browser), behaviour))).status).toBe(401)
    expect(browser.cookie).toBeUndefined()
    expect((await signIn(browser, authenticator.get(await ask(browser)))).status).toBe(200)
  })

  it('is refused with an unknown or expired challenge, or one for adding a passkey [D-auth-15]', async () => {
    const { authenticator, browser } = await newHolder()
    const fresh = openBrowser(api.app)
    const invented = { challenge: 'A'.repeat(43) }
    expect((await signIn(fresh, authenticator.get(invented))).status).toBe(401)
    expect((await signIn(fresh, authenticator.get(await offer(browser)))).status).toBe(401)
    const late = await ask(fresh)
    await api.services.database.pool.query(`update passkey_challenges set expires_at = expires_at - interval '300 s'`)
    expect((await signIn(fresh, authenticator.get(late))).status).toBe(401)
  })

  it('is refused if another key signed, and in any broken form [D-auth-15]', async () => {
    const { authenticator } = await newHolder()
    const browser = openBrowser(api.app)
    const other = createAuthenticator(origin)
    const forged = {
      ...other.get(await ask(browser)),
      id: authenticator.credentialId,
      rawId: authenticator.credentialId,
    }
    expect((await signIn(browser, forged)).status).toBe(401)
    for (const response of [{}, { id: 7 }, { id: authenticator.credentialId }, { ...forged, response: { a: 1 } }]) {
      expect((await signIn(browser, response)).status).toBe(401)
    }
  })

  it('is added once, for the user who got the challenge, and with that challenge [D-auth-15]', async () => {
    const [one, other] = [await newPerson(), await newPerson()]
    const add = (browser: Browser, response: object) =>
      browser.change('POST', '/auth/passkeys/confirm', { name: 'x', response })
    const authenticator = createAuthenticator(origin)
    const offered = await offer(one.browser)
    expect((await add(other.browser, authenticator.create(offered))).status).toBe(400)
    expect((await add(one.browser, authenticator.create({ challenge: 'A'.repeat(43) }))).status).toBe(400)
    expect((await add(one.browser, {})).status).toBe(400)
    expect((await add(one.browser, authenticator.create(await offer(one.browser)))).status).toBe(201)
    expect((await add(one.browser, authenticator.create(await offer(one.browser)))).status).toBe(400)
  })

  it('can be renamed, which is recorded in the audit log', async () => {
    const { browser, id } = await newHolder()
    const renamed = await browser.change<{ name: string }>('PATCH', `/auth/passkeys/${id}`, { name: ' <b>laptop</b> ' })
    expect(renamed).toMatchObject({ status: 200, body: { id, name: '<b>laptop</b>' } })
    const { body } = await browser.get<{ data: object[] }>('/auth/passkeys')
    expect(body.data).toMatchObject([{ id, name: '<b>laptop</b>' }])
    const headers = { authorization: `Bearer ${await browser.token()}` }
    const log = await api.app.inject({ url: '/v1/audit?action=passkey.changed', headers })
    expect(log.json().docs).toMatchObject([{ subjectId: id, detail: { name: '<b>laptop</b>' } }])
    for (const name of ['', ' ', 'x'.repeat(101), 7]) {
      expect((await browser.change('PATCH', `/auth/passkeys/${id}`, { name })).status).toBe(400)
    }
  })

  it('of somebody else is neither shown, renamed nor removed', async () => {
    const [mine, other] = [await newHolder(), await newPerson()]
    expect((await other.browser.get<{ data: object[] }>('/auth/passkeys')).body.data).toEqual([])
    expect((await other.browser.change('PATCH', `/auth/passkeys/${mine.id}`, { name: 'mine' })).status).toBe(404)
    expect((await other.browser.change('DELETE', `/auth/passkeys/${mine.id}`)).status).toBe(404)
    expect((await mine.browser.get<{ data: object[] }>('/auth/passkeys')).body.data).toHaveLength(1)
  })
})

it.each([
  ['https://lathe.example', true],
  ['http://localhost:8080', true],
  ['http://lathe.example', false],
  ['https://192.0.2.1', false],
  ['https://[2001:db8::1]', false],
])('passkeys of %s are offered: %s', async (publicUrl, isOffered) => {
  await using other = await startApi({ env: { ACCOUNTS_MODE: 'accounts', LATHE_PUBLIC_URL: publicUrl } })
  const { body } = await openBrowser(other.app).get<SessionView>('/auth/session')
  expect(body.methods.passkey).toBe(isOffered)
})
