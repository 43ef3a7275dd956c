import { findFreePort } from '@lathe/testing'
import fastify, { type InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser, ownPage } from '../testing/browser.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import { authRoutes } from './auth-routes.ts'
import type { SessionView } from './show-session.ts'

const password = 'seven green bottles'
const next = 'eight brown bottles'
let api: TestApi
let victim: Browser
let victimSession: string
let victimId: string
let attacker: Browser
/** A team of the victim and the attacker's friend, and an invitation to it. */
let teamId: string
let mateId: string
let invitationId: string
/** A program that waits for the victim's approval. */
let userCode: string
let deviceCode: string
/** A cookie of the victim from before they signed in again. */
let oldCookie: string
let people = 0

beforeAll(async () => {
  // Nothing listens there: a request that is not refused would end with 503.
  const provider = { OIDC_ISSUER: `http://127.0.0.1:${await findFreePort()}`, OIDC_CLIENT_ID: 'lathe' }
  api = await startApi({
    env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ACCOUNT: '1000', SIGN_INS_PER_ADDRESS: '1000', ...provider },
  })
  victim = await newPerson('victim@x.example', { isAdmin: true })
  oldCookie = victim.cookie ?? ''
  await victim.change('POST', '/auth/sign-in', { email: 'victim@x.example', password })
  attacker = await newPerson('attacker@x.example')
  const { body } = await victim.get<{ data: { id: string }[] }>('/auth/sessions')
  victimSession = body.data[0]?.id ?? ''
  victimId = (await victim.get<SessionView>('/auth/session')).body.user?.id ?? ''
  teamId = (await victim.change<{ id: string }>('POST', '/auth/teams', { name: 'Turners' })).body.id
  const invite = () =>
    victim.change<{ id: string; url: string }>('POST', `/auth/teams/${teamId}/invitations`, { role: 'admin' })
  const mate = await newPerson('mate@x.example')
  await mate.change('POST', '/auth/invitations/accept', { link: (await invite()).body.url.split('#')[1] })
  mateId = (await mate.get<SessionView>('/auth/session')).body.user?.id ?? ''
  invitationId = (await invite()).body.id
  await startDeviceLogin()
})
afterAll(() => api[Symbol.asyncDispose]())

async function startDeviceLogin(): Promise<void> {
  const payload = { client_name: "the attacker's program" }
  const started = await api.app.inject({ method: 'POST', url: '/v1/device/authorize', payload })
  ;({ user_code: userCode, device_code: deviceCode } = started.json())
}

async function newPerson(email: string, { isAdmin = false } = {}): Promise<Browser> {
  people += 1
  const { auth, database } = api.services
  await database.transaction(async (tx) => auth?.logins.create(tx, { name: 'x', email, password, isAdmin }))
  const browser = openBrowser(api.app, `192.0.2.${people}`)
  await browser.change('POST', '/auth/sign-in', { email, password })
  return browser
}

/** Every changing route under /auth, with a body that would succeed. */
const changes: Readonly<Record<string, () => object>> = {
  'POST /auth/sign-in': () => ({ email: 'victim@x.example', password }),
  'POST /auth/sign-out': () => ({}),
  'POST /auth/token': () => ({}),
  'POST /auth/setup': () => ({ link: 'x'.repeat(43), name: 'x', email: 'new@x.example', password }),
  'POST /auth/password': () => ({ current: password, password: next }),
  'DELETE /auth/sessions/:id': () => ({}),
  'PATCH /auth/account': () => ({ name: 'Mallory', email: 'mallory@x.example', current: password }),
  'DELETE /auth/account': () => ({ current: password }),
  'POST /auth/second-factor': () => ({ code: '123456' }),
  'POST /auth/totp': () => ({ current: password }),
  'POST /auth/totp/confirm': () => ({ code: '123456' }),
  'POST /auth/passkeys/options': () => ({ current: password }),
  'POST /auth/passkeys/confirm': () => ({ name: 'x', response: {} }),
  'PATCH /auth/passkeys/:id': () => ({ name: 'x' }),
  'DELETE /auth/passkeys/:id': () => ({}),
  'POST /auth/passkeys/sign-in/options': () => ({}),
  'POST /auth/passkeys/sign-in': () => ({ response: {} }),
  'DELETE /auth/totp': () => ({ current: password }),
  'POST /auth/confirm': () => ({ current: password }),
  'POST /auth/oidc/start': () => ({ back: '/keys' }),
  'POST /auth/admin/accounts': () => ({ name: 'x', email: 'made@x.example' }),
  'PATCH /auth/admin/accounts/:id': () => ({ isSuspended: true }),
  'DELETE /auth/admin/accounts/:id': () => ({}),
  'POST /auth/admin/announcement': () => ({ text: 'x' }),
  'POST /auth/admin/disabled-formats': () => ({ input: 'heic' }),
  'DELETE /auth/admin/disabled-formats/:id': () => ({}),
  'POST /auth/owner': () => ({ ownerId: teamId }),
  'POST /auth/teams': () => ({ name: 'x' }),
  'PATCH /auth/teams/:id': () => ({ name: 'x' }),
  'DELETE /auth/teams/:id': () => ({}),
  'PATCH /auth/teams/:id/members/:userId': () => ({ role: 'member' }),
  'DELETE /auth/teams/:id/members/:userId': () => ({}),
  'POST /auth/teams/:id/invitations': () => ({ role: 'member' }),
  'DELETE /auth/teams/:id/invitations/:invitationId': () => ({}),
  'POST /auth/invitations/show': () => ({ link: 'x'.repeat(43) }),
  'POST /auth/invitations/accept': () => ({ link: 'x'.repeat(43) }),
  'POST /auth/device/show': () => ({ userCode }),
  'POST /auth/device/approve': () => ({ userCode, ownerId: victimId }),
  'POST /auth/device/deny': () => ({ userCode }),
}

/**
 * Any client may request a challenge or be redirected to the provider: both are useless without a passkey or an account
 * there.
 */
const forAnybody = ['POST /auth/passkeys/sign-in/options', 'POST /auth/oidc/start']

/** Anyone with the code of a program may see it and deny it; approving it for another owner is refused. */
const codeHolders = ['POST /auth/device/show', 'POST /auth/device/deny']

/** Paths that can also be read. */
const readable = ['POST /auth/teams', 'POST /auth/teams/:id/invitations', 'POST /auth/admin/accounts']

/** A request as a page of the service would send it for the victim. */
function ownRequest(change: string): InjectOptions & { headers: Record<string, string> } {
  const [method = 'POST', path = ''] = change.split(' ')
  return {
    method: method as 'POST',
    url: path.replace(':id', idIn(change, path)).replace(':userId', mateId).replace(':invitationId', invitationId),
    headers: { ...ownPage, cookie: victim.cookie ?? '', 'content-type': 'application/json' },
    payload: JSON.stringify(changes[change]?.()),
  }
}

function idIn(change: string, path: string): string {
  // The victim's own account could not be deleted anyway: it is the last administrator.
  if (change === 'DELETE /auth/admin/accounts/:id') return teamId
  if (path.startsWith('/auth/admin')) return victimId
  return path.startsWith('/auth/teams') ? teamId : victimSession
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

type Forgery = (own: ReturnType<typeof ownRequest>) => InjectOptions

const form = new URLSearchParams({ email: 'victim@x.example', password }).toString()

/** What another page, or an attacker with an old or stolen secret, can make a browser send. */
const forgeries: Readonly<Record<string, Forgery>> = {
  'from a foreign origin': (own) => ({ ...own, headers: { ...own.headers, origin: 'https://evil.example' } }),
  'from a subdomain': (own) => ({
    ...own,
    headers: { ...own.headers, origin: 'https://x.lathe.test', 'sec-fetch-site': 'same-site' },
  }),
  'without an origin': (own) => ({ ...own, headers: without(own.headers, 'origin') }),
  'from the origin null': (own) => ({ ...own, headers: { ...own.headers, origin: 'null' } }),
  'without Sec-Fetch-Site': (own) => ({ ...own, headers: without(own.headers, 'sec-fetch-site') }),
  'as the post of a form': (own) => ({
    ...own,
    headers: {
      ...own.headers,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: form,
  }),
  'as the post of a form of this page': (own) => ({
    ...own,
    headers: { ...own.headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: form,
  }),
  'as a GET': ({ payload: _, ...own }) => ({ ...own, method: 'GET' }),
  'as text that is JSON': (own) => ({ ...own, headers: { ...own.headers, 'content-type': 'text/plain' } }),
  'with an empty body': (own) => ({ ...own, payload: '' }),
}

const statusOf = async (request: InjectOptions) =>
  (await api.app.inject({ remoteAddress: '192.0.2.99', ...request })).statusCode

/** Everything that changes to teams and to the instance could affect. */
const teamOfVictim = async () => [
  (await victim.get<{ data: object[] }>('/auth/admin/accounts?search=victim')).body.data.map(withoutUse),
  (await victim.get<{ announcement: unknown }>('/auth/admin/instance')).body.announcement,
  (await victim.get<{ disabledFormats: unknown }>('/auth/admin/instance')).body.disabledFormats,
  (await victim.get('/auth/teams')).body,
  (await victim.get(`/auth/teams/${teamId}/members`)).body,
  (await victim.get(`/auth/teams/${teamId}/invitations`)).body,
]

/** What the waiting program gets when it polls. */
const deviceAnswer = async () => {
  const payload = { device_code: deviceCode }
  return (await api.app.inject({ method: 'POST', url: '/v1/device/token', payload })).json().errorCode
}

const isDeviceWaiting = async () => ['authorization_pending', 'slow_down'].includes(await deviceAnswer())

const withoutUse = (account: object) => ({ ...account, lastUsedAt: undefined })

const isVictimThere = async () => (await victim.get<SessionView>('/auth/session')).body.signedIn

it('every route under /auth that changes something has test cases here [D-auth-06]', async () => {
  const found: string[] = []
  await using app = fastify()
  app.addHook('onRoute', ({ method, url }) => void found.push(...[method].flat().map((name) => `${name} ${url}`)))
  await authRoutes(app, api.services)
  await app.ready()
  const isChange = (route: string) => !/^(GET|HEAD) /.test(route)
  expect(found.filter(isChange).sort()).toEqual(Object.keys(changes).sort())
})

describe.each(Object.keys(changes))('%s [D-auth-06]', (change) => {
  it.each(Object.entries(forgeries))('is refused %s', async (how, forge) => {
    const before = await teamOfVictim()
    const status = await statusOf(forge(ownRequest(change)))
    if (how === 'as a GET' && readable.includes(change)) expect(status).toBe(200)
    else expect([400, 403, 404, 405]).toContain(status)
    expect(await isVictimThere()).toBe(true)
    expect(await isDeviceWaiting()).toBe(true)
    expect(await teamOfVictim()).toEqual(before)
  })

  it('is refused with a token from before', async () => {
    const own = ownRequest(change)
    // Without a session, the outdated part is the password or the link.
    const payload =
      change === 'POST /auth/sign-in' ? JSON.stringify({ email: 'victim@x.example', password: next }) : own.payload
    const status = await statusOf({ ...own, payload: payload ?? '', headers: { ...own.headers, cookie: oldCookie } })
    if (!forAnybody.includes(change)) expect([401, 404]).toContain(status)
    expect(await isVictimThere()).toBe(true)
  })

  it("does nothing to the victim with someone else's session", async () => {
    const own = ownRequest(change)
    const thief = await newPerson(`thief-${people}@x.example`)
    const headers = { ...own.headers, cookie: thief.cookie ?? '' }
    const { body: before } = await victim.get<SessionView>('/auth/session')
    const team = await teamOfVictim()
    const payload = change === 'POST /auth/token' ? JSON.stringify({ ownerId: before.user?.id }) : (own.payload ?? '')
    const status = await statusOf({ ...own, headers, payload })
    // Signing in and out, a confirmation, a new password and a second factor only affect the holder of the session.
    const isOwnBusiness =
      change === 'POST /auth/teams' ||
      change === 'PATCH /auth/account' ||
      change === 'DELETE /auth/account' ||
      codeHolders.includes(change) ||
      forAnybody.includes(change) ||
      ['/auth/sign-in', '/auth/sign-out', '/auth/confirm', '/auth/password', '/auth/totp', '/auth/passkeys'].some(
        (path) => change.startsWith(`POST ${path}`),
      )
    if (!isOwnBusiness) expect([401, 403, 404]).toContain(status)
    expect((await victim.get<SessionView>('/auth/session')).body).toEqual(before)
    expect(await teamOfVictim()).toEqual(team)
    if (change === 'POST /auth/device/deny') await startDeviceLogin()
    const again = openBrowser(api.app, '192.0.2.98')
    expect((await again.change('POST', '/auth/sign-in', { email: 'victim@x.example', password })).status).toBe(200)
  })
})

it('the refused requests succeed if they are not forged', async () => {
  for (const [change, expected] of Object.entries({
    'POST /auth/token': 200,
    'POST /auth/setup': 404,
    'POST /auth/password': 204,
  })) {
    const own = ownRequest(change)
    const headers = { ...own.headers, cookie: attacker.cookie ?? '' }
    expect(await statusOf({ ...own, headers }), change).toBe(expected)
  }
})

it('the program that waited through all of this gets its key only when the victim approves', async () => {
  expect(await isDeviceWaiting()).toBe(true)
  expect(await statusOf(ownRequest('POST /auth/device/approve'))).toBe(204)
  expect(await deviceAnswer()).toBeUndefined()
})

it('allows no origin by CORS, not even configured ones', async () => {
  await using open = await startApi({ env: { ACCOUNTS_MODE: 'accounts', CORS_ORIGINS: 'https://app.example' } })
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  const preflight = await open.app.inject({ method: 'OPTIONS', url: '/auth/token', headers })
  expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  const shown = await open.app.inject({ url: '/auth/session', headers: { origin: 'https://app.example' } })
  expect(shown.headers['access-control-allow-origin']).toBeUndefined()
})

it('over plain HTTP accepts requests without Sec-Fetch-Site, and none from other origins [D-auth-03]', async () => {
  const publicUrl = 'http://192.0.2.10:8080'
  await using plain = await startApi({ env: { ACCOUNTS_MODE: 'open', LATHE_PUBLIC_URL: publicUrl } })
  const post = (headers: Record<string, string>) =>
    plain.app.inject({ method: 'POST', url: '/auth/token', payload: {}, headers })
  const answer = await post({ origin: publicUrl })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['set-cookie']).toMatch(/^lathe=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  expect((await post({ origin: 'http://192.0.2.11:8080' })).statusCode).toBe(403)
  expect((await post({ origin: publicUrl, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
})
