import type { ErrorBody } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { readEvents } from '@lathe/testing'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({
    env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ACCOUNT: '5', SIGN_INS_PER_ADDRESS: '20', RATE_LIMIT_PER_KEY: '50' },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

const password = 'seven green bottles'
let people = 0

/** A user with an account and their own network. */
async function newPerson() {
  people += 1
  const email = `person-${people}@x.example`
  const { auth, database } = api.services
  const login = await database.transaction(async (tx) =>
    auth?.logins.create(tx, { name: `Person ${people}`, email, password, isAdmin: false }),
  )
  if (!login) throw new Error('no accounts')
  const address = `2001:db8:${people.toString(16)}::1`
  const open = () => openBrowser(api.app, address)
  async function signIn(more: object = {}): Promise<Browser> {
    const browser = open()
    const { status } = await browser.change('POST', '/auth/sign-in', { email, password, ...more })
    expect(status).toBe(200)
    return browser
  }
  return { email, userId: login.userId, address, open, signIn }
}

const statusOf = async (token: string, url = '/v1/account') =>
  (await api.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode

describe('the first run', () => {
  it('uses a one-time link from the host, and signs the administrator in [D-auth-01]', async () => {
    await using fresh = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
    const browser = openBrowser(fresh.app)
    const before = await browser.get<SessionView>('/auth/session')
    expect(before.body).toEqual({
      ...{ mode: 'accounts', setupNeeded: true, signedIn: false, owners: [] },
      methods: { password: true, passkey: true },
      mails: false,
    })
    const link = await fresh.services.auth?.setup.createLink()
    const admin = { link, name: 'Ada', email: 'Ada@x.example', password }
    const weak = await browser.change<ErrorBody>('POST', '/auth/setup', { ...admin, password: 'password123' })
    expect(weak).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } })
    const wrong = await browser.change('POST', '/auth/setup', { ...admin, link: 'x'.repeat(43) })
    expect(wrong.status).toBe(404)
    const made = await browser.change<SessionView>('POST', '/auth/setup', admin)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...{ setupNeeded: false, signedIn: true, user: { name: 'Ada', email: 'ada@x.example', isAdmin: true } },
      owner: { kind: 'person', role: 'owner', id: made.body.user?.id },
    })
    expect((await browser.get<SessionView>('/auth/session')).body).toEqual(made.body)
    expect((await openBrowser(fresh.app).change('POST', '/auth/setup', admin)).status).toBe(404)
  })
})

describe('signing in', () => {
  it('sets a host-only cookie, which is accepted under /auth only [D-auth-02]', async () => {
    const person = await newPerson()
    const browser = await person.signIn()
    expect(browser.setCookie).toMatch(/^__Host-lathe=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect((await browser.get<SessionView>('/auth/session')).body).toMatchObject({
      ...{ signedIn: true, user: { id: person.userId, email: person.email, isAdmin: false } },
      owners: [{ id: person.userId, kind: 'person', role: 'owner' }],
    })
    expect((await browser.get('/v1/account')).status).toBe(401)
    expect((await browser.get('/v1/process/tasks', { 'sec-fetch-site': 'same-origin' })).status).toBe(401)
  })

  it('keeps the cookie for 30 days if the user stays signed in, and for the browser session otherwise', async () => {
    const person = await newPerson()
    const browser = await person.signIn({ stay: true })
    const [, age] = /Max-Age=(\d+)/.exec(browser.setCookie ?? '') ?? []
    expect(Number(age)).toBeGreaterThan(30 * 86_400 - 60)
    expect(Number(age)).toBeLessThanOrEqual(30 * 86_400)
  })

  it('replaces the cookie, and the previous one becomes invalid [D-auth-05]', async () => {
    const person = await newPerson()
    const browser = await person.signIn()
    const before = browser.cookie
    await browser.change('POST', '/auth/sign-in', { email: person.email, password })
    expect(browser.cookie).not.toBe(before)
    const old = person.open()
    old.cookie = before
    expect((await old.get<SessionView>('/auth/session')).body.signedIn).toBe(false)
    expect((await old.change('POST', '/auth/token')).status).toBe(401)
  })

  it('answers a wrong password and an unknown account alike, at the same cost [D-auth-08]', async () => {
    const person = await newPerson()
    const answers: Record<string, unknown>[] = []
    // The minimum of several runs, to exclude other work of the process.
    const spent = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    for (let n = 0; n < 4; n++) {
      for (const kind of ['known', 'unknown'] as const) {
        const email = kind === 'known' ? person.email : `nobody-${people}@x.example`
        const before = process.cpuUsage()
        const page = await person.open().change<ErrorBody>('POST', '/auth/sign-in', { email, password: 'wrong' })
        const { user, system } = process.cpuUsage(before)
        spent[kind] = Math.min(spent[kind], user + system)
        const { requestId: _, ...body } = page.body
        answers.push({ status: page.status, body, names: Object.keys(page.headers).sort() })
      }
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { errorCode: 'unauthorized' } })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const ratio = spent.unknown / spent.known
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  /** Sends wrong passwords, each time as a new browser; returns the status of each. */
  async function guess(email: string, count: number, networkOf: (n: number) => string): Promise<number[]> {
    const statuses: number[] = []
    for (let n = 0; n < count; n++) {
      const sent = { email, password: 'wrong' }
      statuses.push((await openBrowser(api.app, networkOf(n)).change('POST', '/auth/sign-in', sent)).status)
    }
    return statuses
  }

  it('is limited per account and network, whether the account exists or not [D-auth-09]', async () => {
    const person = await newPerson()
    for (const [n, email] of [person.email, `missing-${people}@x.example`].entries()) {
      const network = `2001:db8:aaaa:${people}${n}::1`
      expect(await guess(email, 6, () => network)).toEqual([401, 401, 401, 401, 401, 429])
      const right = await openBrowser(api.app, network).change('POST', '/auth/sign-in', { email, password })
      expect(right.status).toBe(429)
      expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    }
    const elsewhere = openBrowser(api.app, '2001:db8:bbbb::1')
    expect((await elsewhere.change('POST', '/auth/sign-in', { email: person.email, password })).status).toBe(200)
  })

  it('is limited per account over all networks, but not for browsers that its user knows [D-auth-09]', async () => {
    const person = await newPerson()
    const { email } = person
    const [own, page] = [await person.signIn(), await person.signIn()]
    expect([...own.others.keys()]).toEqual(['__Host-lathe-known'])
    await own.change('POST', '/auth/sign-out')
    const statuses = await guess(email, 51, (n) => `2001:db8:aa${n.toString(16).padStart(2, '0')}:${people}::1`)
    expect(statuses).toEqual([...Array(50).fill(401), 429])
    const right = { email, password }
    const elsewhere = openBrowser(api.app, '2001:db8:bbbb:1::1')
    expect((await elsewhere.change('POST', '/auth/sign-in', right)).status).toBe(429)
    // The mark is for this account alone, and only as it was signed.
    const [name, value = ''] = (own.others.get('__Host-lathe-known') ?? '').split('=')
    elsewhere.others.set('__Host-lathe-known', `${name}=${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`)
    expect((await elsewhere.change('POST', '/auth/sign-in', right)).status).toBe(429)
    const other = await (await newPerson()).signIn()
    expect((await other.change('POST', '/auth/sign-in', right)).status).toBe(429)
    expect((await own.change('POST', '/auth/sign-in', right)).status).toBe(200)
    // Those who are signed in are not concerned.
    const next = 'nine blue bottles'
    const changed = await page.change('POST', '/auth/password', { current: password, password: next })
    expect(changed.status).toBe(204)
    expect((await page.change('DELETE', '/auth/account', { current: next })).status).toBe(204)
  })

  it('is limited for a known browser as well', async () => {
    const person = await newPerson()
    const own = await person.signIn()
    await own.change('POST', '/auth/sign-out')
    const statuses: number[] = []
    // When its own count is used up, it counts as an unknown browser.
    for (let n = 0; n < 11; n++) {
      const sent = { email: person.email, password: 'wrong' }
      statuses.push((await own.change('POST', '/auth/sign-in', sent)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })

  it('is limited per /64, over all accounts [D-auth-09]', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) {
      const browser = openBrowser(api.app, `2001:db8:cccc:1::${n.toString(16)}`)
      const guess = { email: `guess-${n}@x.example`, password: 'wrong' }
      statuses.push((await browser.change('POST', '/auth/sign-in', guess)).status)
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    const neighbour = openBrowser(api.app, '2001:db8:cccc:2::1')
    const guess = { email: 'guess-0@x.example', password: 'wrong' }
    expect((await neighbour.change('POST', '/auth/sign-in', guess)).status).toBe(401)
  })

  it('does not count successful sign-ins', async () => {
    const person = await newPerson()
    for (let n = 0; n < 7; n++) await person.signIn()
  })
})

describe('the token of a session', () => {
  it('is valid for the API and acts for its owner, whatever a request contains', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const browser = await person.signIn()
    const issued = await browser.change<{ token: string; expiresAt: string }>('POST', '/auth/token')
    expect(new Date(issued.body.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(600_000)
    const headers = { authorization: `Bearer ${issued.body.token}` }
    const made = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers })
    expect(made.json()).toMatchObject({ user: person.userId })
    const theirs = { authorization: `Bearer ${await (await other.signIn()).token()}` }
    const url = `/v1/process/tasks/${made.json().id}`
    expect((await api.app.inject({ url, headers })).statusCode).toBe(200)
    expect((await api.app.inject({ url, headers: theirs })).statusCode).toBe(404)
    const payload = { ownerId: other.userId }
    expect((await browser.change('POST', '/auth/token', payload)).status).toBe(403)
  })

  it('makes keys for the owner it acts for: a person, or a team', async () => {
    const person = await newPerson()
    const teamId = 'ab'.repeat(12)
    const db = api.services.database.pool
    await db.query('insert into owners (id, slots) values ($1, 3)', [bytes(teamId)])
    await db.query(`insert into teams (owner_id, name) values ($1, 'Turners')`, [bytes(teamId)])
    const member = [bytes(teamId), bytes(person.userId)]
    await db.query(`insert into memberships (owner_id, user_id, role) values ($1, $2, 'admin')`, member)
    const browser = await person.signIn()
    expect((await browser.get<SessionView>('/auth/session')).body.owners).toMatchObject([
      { id: person.userId, kind: 'person' },
      { id: teamId, name: 'Turners', kind: 'team', role: 'admin' },
    ])
    const headers = { authorization: `Bearer ${await browser.token({ ownerId: teamId })}` }
    const shown = await api.app.inject({ url: '/v1/account', headers })
    expect(shown.json()).toMatchObject({ id: teamId, name: 'Turners', plan: { slots: 3 } })
    const made = await api.app.inject({ method: 'POST', url: '/v1/account/keys', headers, payload: { name: 'ci' } })
    const byKey = await api.app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${made.json().key}` } })
    expect(byKey.json()).toMatchObject({ id: teamId })
    const listed = await api.app.inject({ url: '/v1/account/keys', headers })
    expect(listed.json().keys).toHaveLength(1)
    const own = { authorization: `Bearer ${await browser.token()}` }
    expect((await api.app.inject({ url: '/v1/account/keys', headers: own })).json().keys).toHaveLength(0)
  })

  it('shares the rate limit of its session with the tokens before it', async () => {
    const browser = await (await newPerson()).signIn()
    const [first, second] = [await browser.token(), await browser.token()]
    const left = async (token: string) =>
      Number(
        (await api.app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${token}` } })).headers[
          'ratelimit-remaining'
        ],
      )
    const before = await left(first)
    expect(await left(second)).toBe(before - 1)
  })

  it('becomes invalid within 5 seconds of a sign-out or of the end of its session, event streams and sockets included [D-auth-07]', async () => {
    const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const person = await newPerson()
    const [browser, elsewhere] = [await person.signIn(), await person.signIn()]
    const [token, other] = [await browser.token(), await elsewhere.token()]
    const headers = { authorization: `Bearer ${token}` }
    const job = await api.app.inject({
      ...{ method: 'POST', url: '/v1/process/jobs', headers },
      payload: { tasks: { a: { operation: 'import/upload' } } },
    })
    const events = await readEvents(`${base}/v1/process/jobs/${job.json().id}/events`, headers)
    expect(events.status).toBe(200)
    const socket = io(base, { auth: { token: `Bearer ${token}` }, reconnection: false })
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    const isCut = new Promise((resolve) => socket.once('disconnect', resolve))
    const start = performance.now()
    await browser.change('POST', '/auth/sign-out')
    expect(browser.cookie).toBeUndefined()
    expect(await statusOf(token)).toBe(401)
    await Promise.all([events.ended, isCut])
    expect(performance.now() - start).toBeLessThan(5500)
    expect(await statusOf(other)).toBe(200)
  })

  it('of a session that was ended elsewhere is invalid', async () => {
    const person = await newPerson()
    const [browser, lost] = [await person.signIn(), await person.signIn()]
    const token = await lost.token()
    const { body } = await browser.get<{ data: { id: string; current: boolean; address: string }[] }>('/auth/sessions')
    expect(body.data.map(({ current }) => current).sort()).toEqual([false, true])
    const gone = body.data.find(({ current }) => !current)
    expect(gone?.address).toBe(person.address)
    expect((await browser.change('DELETE', `/auth/sessions/${gone?.id}`)).status).toBe(204)
    expect(await statusOf(token)).toBe(401)
    expect((await lost.change('POST', '/auth/token')).status).toBe(401)
    expect((await browser.change('POST', '/auth/token')).status).toBe(200)
  })
})

describe('the password', () => {
  it('is changed with the current one, which ends the other sessions [D-auth-10]', async () => {
    const person = await newPerson()
    const [browser, other] = [await person.signIn(), await person.signIn()]
    const before = browser.cookie
    const next = 'eight brown bottles'
    const wrong = await browser.change<ErrorBody>('POST', '/auth/password', { current: 'guess', password: next })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'current' }] } })
    const weak = await browser.change<ErrorBody>('POST', '/auth/password', { current: password, password: 'short' })
    expect(weak).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } })
    expect((await browser.change('POST', '/auth/password', { current: password, password: next })).status).toBe(204)
    expect(browser.cookie).not.toBe(before)
    expect((await browser.get<SessionView>('/auth/session')).body.signedIn).toBe(true)
    expect((await other.get<SessionView>('/auth/session')).body.signedIn).toBe(false)
    const open = person.open()
    const old = await open.change('POST', '/auth/sign-in', { email: person.email, password })
    expect(old.status).toBe(401)
    expect((await open.change('POST', '/auth/sign-in', { email: person.email, password: next })).status).toBe(200)
  })
})

describe('without accounts', () => {
  it('there is no /auth, and no token is valid', async () => {
    const browser = await (await newPerson()).signIn()
    const token = await browser.token()
    await using bare = await startApi()
    expect((await bare.app.inject({ url: '/auth/session' })).statusCode).toBe(404)
    const answer = await bare.app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${token}` } })
    expect(answer.statusCode).toBe(401)
  })
})
