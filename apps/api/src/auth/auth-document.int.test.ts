import { authRoutes, type DeviceLogin } from '@lathe/contract'
import { type IdentityProvider, startIdentityProvider } from '@lathe/testing'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuthenticator } from '../testing/authenticator.ts'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { checkedSuccesses } from '../testing/check-auth-answer.ts'
import { invite, newPerson, newTeam } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

const origin = 'https://lathe.test'
const password = 'seven green bottles'
const email = 'ada@x.example'

let provider: IdentityProvider
let api: TestApi
let admin: Browser

beforeAll(async () => {
  provider = await startIdentityProvider()
  provider.allow(`${origin}/auth/oidc/callback`)
  const { issuer, clientId, clientSecret } = provider
  const oidc = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example' }
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts', INVITED_ACCOUNTS: 'everybody', ...oidc } })
  admin = openBrowser(api.app)
  checkedSuccesses.clear()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

// Each answer is compared with the OpenAPI document by the browser. This file takes care that none is left out: its
// last test counts.

type Change = 'POST' | 'PATCH' | 'DELETE'

async function change<T>(browser: Browser, method: Change, path: string, sent: object = {}): Promise<T> {
  const { status, body } = await browser.change<T>(method, `/auth/${path}`, sent)
  expect(`${method} ${path} ${status}`).toMatch(/ 20\d$/)
  return body
}

async function read<T>(browser: Browser, path: string): Promise<T> {
  const { status, body } = await browser.get<T>(`/auth/${path}`)
  expect(status).toBe(200)
  return body
}

it('the setup and the sessions answer as documented', async () => {
  const link = await api.services.auth?.setup.createLink()
  await change(admin, 'POST', 'setup', { link, name: 'Ada', email, password })
  await read(admin, 'session')
  await change(admin, 'POST', 'token')
  const other = openBrowser(api.app)
  await change(other, 'POST', 'sign-in', { email, password })
  const { data } = await read<{ data: { id: string; current: boolean }[] }>(admin, 'sessions')
  await change(admin, 'DELETE', `sessions/${data.find(({ current }) => !current)?.id}`)
  await change(other, 'POST', 'sign-in', { email, password })
  await change(other, 'POST', 'sign-out')
})

it('the profile, the password and the second factor answer as documented', async () => {
  await change(admin, 'PATCH', 'account', { name: 'Ada Lovelace' })
  await change(admin, 'POST', 'confirm', { current: password })
  await change(admin, 'POST', 'password', { current: password, password })
  const { secret } = await change<{ secret: string }>(admin, 'POST', 'totp', { current: password })
  const confirmed = { code: TOTP.generate({ secret: Secret.fromBase32(secret) }) }
  const { recoveryCodes } = await change<{ recoveryCodes: string[] }>(admin, 'POST', 'totp/confirm', confirmed)
  const other = openBrowser(api.app)
  expect(await change(other, 'POST', 'sign-in', { email, password })).toEqual({ secondFactor: 'totp' })
  await change(other, 'POST', 'second-factor', { code: recoveryCodes[0] })
  await change(admin, 'DELETE', 'totp', { current: password })
})

it('passkeys and the identity provider answer as documented', async () => {
  const authenticator = createAuthenticator(origin)
  const offer = await change<{ challenge: string }>(admin, 'POST', 'passkeys/options', { current: password })
  const added = { name: 'phone', response: authenticator.create(offer) }
  const { id } = await change<{ id: string }>(admin, 'POST', 'passkeys/confirm', added)
  await read(admin, 'passkeys')
  await change(admin, 'PATCH', `passkeys/${id}`, { name: 'tablet' })
  const other = openBrowser(api.app)
  const asked = await change<{ challenge: string }>(other, 'POST', 'passkeys/sign-in/options')
  await change(other, 'POST', 'passkeys/sign-in', { response: authenticator.get(asked) })
  await change(admin, 'DELETE', `passkeys/${id}`)

  provider.people.set('bob', { name: 'Bob', email: 'bob@id.example', email_verified: true })
  const visitor = openBrowser(api.app)
  const { url } = await change<{ url: string }>(visitor, 'POST', 'oidc/start')
  const { pathname, search } = new URL(await provider.signIn(url, 'bob'))
  expect((await visitor.get(pathname + search)).status).toBe(302)
  expect(await read(visitor, 'session')).toMatchObject({ signedIn: true })
})

it('teams, members and invitations answer as documented', async () => {
  const [owner, member] = [await newPerson(api, 'Owner'), await newPerson(api, 'Member')]
  const teamId = await newTeam(owner, { member })
  const team = `teams/${teamId}`
  await change(owner.browser, 'POST', 'owner', { ownerId: teamId })
  await read(owner.browser, 'teams')
  await change(owner.browser, 'PATCH', team, { name: 'Millers' })
  await read(owner.browser, `${team}/members`)
  await change(owner.browser, 'PATCH', `${team}/members/${member.userId}`, { role: 'admin' })
  await change(owner.browser, 'DELETE', `${team}/members/${member.userId}`, { keepKeys: true })

  const link = await invite(owner, teamId)
  const visitor = openBrowser(api.app)
  await change(visitor, 'POST', 'invitations/show', { link })
  const person = { name: 'New', email: 'new@x.example', password }
  await change(visitor, 'POST', 'invitations/accept', { link, person })
  await invite(owner, teamId)
  const { data } = await read<{ data: { id: string }[] }>(owner.browser, `${team}/invitations`)
  await change(owner.browser, 'DELETE', `${team}/invitations/${data[0]?.id}`)
  await change(owner.browser, 'DELETE', team)
  await change(visitor, 'DELETE', 'account', { current: password })
})

it('programs that ask for a key are shown and decided as documented', async () => {
  const { browser, userId } = await newPerson(api)
  const start = async () => {
    const asked = { method: 'POST', url: '/v1/device/authorize', payload: { client_name: 'a program' } } as const
    return (await api.app.inject(asked)).json<DeviceLogin>().user_code
  }
  const userCode = await start()
  await change(browser, 'POST', 'device/show', { userCode })
  await change(browser, 'POST', 'device/approve', { userCode, ownerId: userId })
  await change(browser, 'POST', 'device/deny', { userCode: await start() })
})

it('the administration answers as documented', async () => {
  const wanted = { name: 'Carl', email: 'carl@x.example' }
  const { id } = await change<{ id: string }>(admin, 'POST', 'admin/accounts', wanted)
  await read(admin, 'admin/accounts?search=carl')
  await change(admin, 'PATCH', `admin/accounts/${id}`, { plan: { slots: 2, minutesPerMonth: null } })
  await change(admin, 'DELETE', `admin/accounts/${id}`)
  await change(admin, 'POST', 'admin/announcement', { text: 'Back at noon.' })
  const rule = await change<{ id: string }>(admin, 'POST', 'admin/disabled-formats', { input: 'heic' })
  await read(admin, 'admin/instance')
  await change(admin, 'DELETE', `admin/disabled-formats/${rule.id}`)
  await read(admin, 'session')
})

it('every success of the document was compared with an answer', () => {
  const wanted = Object.values(authRoutes).flatMap(({ operationId, responses }) =>
    Object.keys(responses)
      .filter((status) => Number(status) < 400)
      .map((status) => `${operationId} ${status}`),
  )
  expect(wanted.length).toBeGreaterThan(40)
  expect(wanted.filter((one) => !checkedSuccesses.has(one))).toEqual([])
})
