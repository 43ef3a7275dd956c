import { findFreePort, type IdentityProvider, startIdentityProvider } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { newPerson } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

const callback = 'https://lathe.test/auth/oidc/callback'
let provider: IdentityProvider
let api: TestApi
let people = 0

beforeAll(async () => {
  provider = await startIdentityProvider()
  provider.allow(callback)
  api = await openApi()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

function openApi(env: Record<string, string> = {}): Promise<TestApi> {
  const { issuer, clientId, clientSecret } = provider
  const own = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'Example' }
  return startApi({ env: { ACCOUNTS_MODE: 'accounts', ...own, ...env } })
}

/** A user known to the provider. */
function newKnown(claims: object = {}): { login: string; email: string } {
  people += 1
  const [login, email] = [`user-${people}`, `user-${people}@id.example`]
  provider.people.set(login, { name: `User ${people}`, email, email_verified: true, ...claims })
  return { login, email }
}

/** Starts a sign-in and returns the URL that the browser is sent to. */
async function begin(browser: Browser, sent: object = {}): Promise<URL> {
  const { status, body } = await browser.change<{ url: string }>('POST', '/auth/oidc/start', sent)
  expect(status).toBe(200)
  return new URL(body.url)
}

/** Returns from the provider; gives the page that this leads to. */
async function comeBack(browser: Browser, address: string): Promise<string> {
  const { pathname, search } = new URL(address)
  const { status, headers } = await browser.get(pathname + search, { 'sec-fetch-site': 'cross-site' })
  expect(status).toBe(302)
  return String(headers.location).replace('https://lathe.test', '')
}

async function signIn(browser: Browser, login: string, sent: object = {}): Promise<string> {
  const url = await begin(browser, sent)
  return comeBack(browser, await provider.signIn(url.href, login))
}

const sessionOf = async (browser: Browser) => (await browser.get<SessionView>('/auth/session')).body
const troubleOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('trouble')

describe('signing in through the provider', () => {
  it('creates an account at the first sign-in, finds it the next time, and redirects back to the page', async () => {
    const { login, email } = newKnown({ name: 'Ada Lovelace' })
    const browser = openBrowser(api.app)
    expect((await sessionOf(browser)).methods).toMatchObject({ oidc: { name: 'Example' } })
    expect(await signIn(browser, login, { back: '/usage?month=1#top' })).toBe('/usage?month=1#top')
    expect(browser.setCookie).toMatch(/^__Host-lathe=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    const first = await sessionOf(browser)
    expect(first).toMatchObject({ signedIn: true, user: { name: 'Ada Lovelace', email, isAdmin: false } })
    expect(browser.others.size).toBe(0)
    provider.people.set(login, { name: 'Ada', email: 'changed@id.example', email_verified: true })
    const again = openBrowser(api.app)
    await signIn(again, login, { stay: true })
    expect(again.setCookie).toContain('Max-Age=25')
    expect((await sessionOf(again)).user?.id).toBe(first.user?.id)
    const headers = { authorization: `Bearer ${await again.token()}` }
    const log = await api.app.inject({ url: '/v1/audit', headers })
    const actions = (log.json().docs as { action: string; detail: object }[]).map(({ action }) => action)
    expect(actions).toEqual(['session.opened', 'session.opened', 'account.created'])
  })

  it('sends PKCE, state and nonce, and stores none of them in plain text', async () => {
    const browser = openBrowser(api.app)
    const { searchParams } = await begin(browser)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: callback,
        scope: 'openid email profile',
      },
      ...{ state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
    })
    const [secret = ''] = [...browser.others.values()].map((pair) => pair.split('=')[1])
    const { rows } = await api.services.database.pool.query('select a::text from oidc_attempts a')
    for (const text of [secret, searchParams.get('state'), searchParams.get('nonce')]) {
      expect(JSON.stringify(rows)).not.toContain(text)
    }
  })

  it('creates one account for two simultaneous first sign-ins', async () => {
    const { login } = newKnown()
    const browsers = [openBrowser(api.app), openBrowser(api.app)]
    const back = await Promise.all(browsers.map(async (browser) => provider.signIn((await begin(browser)).href, login)))
    await Promise.all(browsers.map((browser, n) => comeBack(browser, back[n] ?? '')))
    const [a, b] = await Promise.all(browsers.map(sessionOf))
    expect(a?.user?.id).toBeDefined()
    expect(b?.user?.id).toBe(a?.user?.id)
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('does not redirect to %s', async (back) => {
    const { login } = newKnown()
    expect(await signIn(openBrowser(api.app), login, { back })).toBe('/')
  })

  it('ends the session that was there before', async () => {
    const person = await newPerson(api)
    const before = person.browser.cookie
    await signIn(person.browser, newKnown().login)
    expect((await sessionOf(person.browser)).user?.id).not.toBe(person.userId)
    const old = openBrowser(api.app)
    old.cookie = before
    expect((await sessionOf(old)).signedIn).toBe(false)
  })
})

describe('a response from the provider', () => {
  /** A response that would succeed, and the browser it is for. */
  async function response() {
    const browser = openBrowser(api.app)
    const url = await begin(browser, { back: '/keys' })
    return { browser, address: new URL(await provider.signIn(url.href, newKnown().login)) }
  }

  async function refused(browser: Browser, address: URL, trouble: string): Promise<void> {
    expect(troubleOf(await comeBack(browser, address.href))).toBe(trouble)
    expect((await sessionOf(browser)).signedIn).toBe(false)
  }

  it.each(['x', '', undefined])('with the state %j is refused', async (state) => {
    const { browser, address } = await response()
    if (state === undefined) address.searchParams.delete('state')
    else address.searchParams.set('state', state)
    await refused(browser, address, 'failed')
  })

  it('with another nonce is refused', async () => {
    const browser = openBrowser(api.app)
    const url = await begin(browser)
    url.searchParams.set('nonce', 'another')
    await refused(browser, new URL(await provider.signIn(url.href, newKnown().login)), 'failed')
  })

  it('that is replayed is refused, in the same browser and in others', async () => {
    const { browser, address } = await response()
    const cookies = new Map(browser.others)
    const thief = openBrowser(api.app)
    await refused(thief, address, 'stale')
    expect(await comeBack(browser, address.href)).toBe('/keys')
    for (const [name, pair] of cookies) thief.others.set(name, pair)
    await refused(thief, address, 'stale')
  })

  it('with the code of another sign-in is refused', async () => {
    const [mine, theirs] = [await response(), await response()]
    mine.address.searchParams.set('code', theirs.address.searchParams.get('code') ?? '')
    await refused(mine.browser, mine.address, 'failed')
  })

  it('with a code that was used is refused', async () => {
    const used = await response()
    await comeBack(used.browser, used.address.href)
    const { browser, address } = await response()
    address.searchParams.set('code', used.address.searchParams.get('code') ?? '')
    await refused(browser, address, 'failed')
  })

  it.each(['https://evil.example', undefined])('of the issuer %j is refused', async (issuer) => {
    const { browser, address } = await response()
    if (issuer === undefined) address.searchParams.delete('iss')
    else address.searchParams.set('iss', issuer)
    await refused(browser, address, 'failed')
  })

  it('that denies access is reported as such', async () => {
    const browser = openBrowser(api.app)
    const url = await begin(browser, { back: '/keys' })
    const path = await comeBack(browser, await provider.signIn(url.href))
    expect(path).toBe('/sign-in?trouble=denied&back=%2Fkeys')
    expect((await sessionOf(browser)).signedIn).toBe(false)
  })

  it('without a started sign-in is refused', async () => {
    expect(troubleOf(await comeBack(openBrowser(api.app), `${callback}?code=x&state=y`))).toBe('stale')
    expect(troubleOf(await comeBack(openBrowser(api.app), callback))).toBe('stale')
  })
})

describe('an account with the same email address', () => {
  it('is not linked, unless the operator trusts the provider and the provider has verified the address', async () => {
    const linking = await openApi({ OIDC_LINK_BY_EMAIL: '1' })
    await using _ = linking
    for (const [app, verified, expected] of [
      [api, true, 'email_taken'],
      [linking, undefined, 'email_taken'],
      [linking, false, 'email_unverified'],
      [linking, true, null],
    ] as const) {
      const person = await newPerson(app)
      const { login } = newKnown({ email: person.email.toUpperCase(), email_verified: verified })
      const browser = openBrowser(app.app)
      expect(troubleOf(await signIn(browser, login))).toBe(expected)
      const { user } = await sessionOf(browser)
      expect(user?.id).toBe(expected === null ? person.userId : undefined)
    }
  })

  it('is not created without an address, or with one that is not verified', async () => {
    expect(troubleOf(await signIn(openBrowser(api.app), newKnown({ email: undefined }).login))).toBe('no_email')
    const unverified = newKnown({ email_verified: false })
    expect(troubleOf(await signIn(openBrowser(api.app), unverified.login))).toBe('email_unverified')
  })
})

describe('groups', () => {
  it('let people in, and make them administrators and members of teams, with each sign-in', async () => {
    const [teamId, kept] = ['a1'.repeat(12), 'b2'.repeat(12)]
    await using strict = await openApi({
      OIDC_ALLOWED_GROUPS: 'staff',
      OIDC_ADMIN_GROUPS: 'root, ops',
      OIDC_TEAM_ROLES: `staff=${teamId}:member,/lathe/leads=${teamId}:admin,staff=${kept}:member,x=${'ab'.repeat(12)}:admin`,
      OIDC_CREATE_ACCOUNTS: '1',
    })
    const db = strict.services.database
    const boss = await newPerson(strict)
    for (const id of [teamId, kept]) {
      await db.pool.query('insert into owners (id, slots) values ($1, 1)', [Buffer.from(id, 'hex')])
      await db.pool.query(`insert into teams (owner_id, name) values ($1, 'Turners')`, [Buffer.from(id, 'hex')])
      const place = [Buffer.from(id, 'hex'), Buffer.from(boss.userId, 'hex')]
      await db.pool.query(`insert into memberships (owner_id, user_id, role) values ($1, $2, 'owner')`, place)
    }
    const { login } = newKnown({ groups: ['guests'] })
    const claims = provider.people.get(login)
    const comeAs = async (groups: readonly string[]) => {
      provider.people.set(login, { ...claims, groups })
      const browser = openBrowser(strict.app)
      const trouble = troubleOf(await signIn(browser, login))
      const { user, owners } = await sessionOf(browser)
      return { trouble, isAdmin: user?.isAdmin, roles: owners.slice(1).map(({ role }) => role), id: user?.id }
    }
    expect(await comeAs(['guests'])).toMatchObject({ trouble: 'not_allowed', roles: [] })
    const first = await comeAs(['staff'])
    expect(first).toMatchObject({ trouble: null, isAdmin: false, roles: ['member', 'member'] })
    expect(await comeAs(['staff', 'ops', '/lathe/leads'])).toMatchObject({ isAdmin: true })
    const members = await boss.browser.get<{ data: { role: string }[] }>(`/auth/teams/${teamId}/members`)
    expect(members.body.data.map(({ role }) => role)).toEqual(['owner', 'admin'])
    // Manual changes are kept.
    const path = `/auth/teams/${kept}/members/${first.id}`
    expect((await boss.browser.change('PATCH', path, { role: 'owner' })).status).toBe(200)
    expect(await comeAs(['staff'])).toMatchObject({ isAdmin: false })
    expect((await comeAs(['staff'])).roles.sort()).toEqual(['member', 'owner'])
    const log = await boss.call('GET', '/v1/audit', undefined, teamId)
    expect((log.body as { docs: { action: string }[] }).docs.map(({ action }) => action)).toEqual([
      'member.changed',
      'member.changed',
      'member.added',
    ])
  })
})

describe('the settings', () => {
  const env = {
    ...{ DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', LATHE_SECRET: 's'.repeat(32), STORAGE_KIND: 'disk' },
    ...{
      STORAGE_DIR: '/tmp/x',
      LATHE_PUBLIC_URL: 'https://lathe.test',
      ACCOUNTS_MODE: 'accounts',
      OIDC_CLIENT_ID: 'x',
    },
  }

  it.each([
    [{ OIDC_ISSUER: 'http://id.example.com' }, /OIDC_ISSUER must be https/],
    [{ OIDC_ISSUER: 'https://id.example.com', ACCOUNTS_MODE: 'open' }, /needs ACCOUNTS_MODE=accounts/],
    [{ OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: '' }, /needs OIDC_CLIENT_ID/],
    [{ OIDC_ISSUER: 'https://id.example.com', OIDC_SCOPES: 'email' }, /must hold openid/],
    [{ OIDC_ISSUER: 'https://id.example.com', OIDC_TEAM_ROLES: 'a=b:owner' }, /OIDC_TEAM_ROLES: "a=b:owner"/],
  ])('%j are refused', (wrong, fault) => {
    expect(() => readConfig({ ...env, ...wrong })).toThrow(fault)
  })

  it('make sign-in answer 503 while the provider is unavailable, and nothing else', async () => {
    await using away = await openApi({ OIDC_ISSUER: `http://127.0.0.1:${await findFreePort()}` })
    const browser = openBrowser(away.app)
    expect((await browser.change('POST', '/auth/oidc/start')).status).toBe(503)
    expect((await sessionOf(browser)).methods.password).toBe(true)
  })
})
