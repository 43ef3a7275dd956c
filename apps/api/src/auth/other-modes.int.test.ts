import { bytes } from '@lathe/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

const usersOf = async ({ services }: TestApi) =>
  (await services.database.pool.query('select count(*)::int as count from users')).rows[0].count

describe('mode open', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi({ env: { ACCOUNTS_MODE: 'open', ANONYMOUS_PER_HOUR: '3', ANONYMOUS_SLOTS: '1' } })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  it('creates an owner for a browser with its first token, and not before [D-auth-11]', async () => {
    const browser = openBrowser(api.app)
    const before = await usersOf(api)
    const { body: empty } = await browser.get<SessionView>('/auth/session')
    expect(empty).toEqual({
      ...{ mode: 'open', setupNeeded: false, signedIn: false, owners: [] },
      methods: { password: false, passkey: false },
      mails: false,
    })
    expect(await usersOf(api)).toBe(before)
    const token = await browser.token()
    expect(await usersOf(api)).toBe(before + 1)
    const { body } = await browser.get<SessionView>('/auth/session')
    expect(body).toMatchObject({ signedIn: false, owner: { kind: 'anonymous', role: 'owner' } })
    const account = await api.app.inject({ url: '/v1/account', headers: { authorization: `Bearer ${token}` } })
    expect(account.json()).toMatchObject({ id: body.owner?.id, plan: { slots: 1 } })
    await browser.token()
    expect(await usersOf(api)).toBe(before + 1)
  })

  it('keeps browsers apart, and lets them neither make keys nor set up webhooks', async () => {
    const [one, other] = [openBrowser(api.app, '192.0.2.20'), openBrowser(api.app, '192.0.2.21')]
    const headersOf = async (browser: typeof one) => ({ authorization: `Bearer ${await browser.token()}` })
    const [mine, theirs] = [await headersOf(one), await headersOf(other)]
    const made = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers: mine })
    expect(made.statusCode).toBe(201)
    const url = `/v1/process/tasks/${made.json().id}`
    expect((await api.app.inject({ url, headers: mine })).statusCode).toBe(200)
    expect((await api.app.inject({ url, headers: theirs })).statusCode).toBe(404)
    for (const path of ['/v1/account/keys', '/v1/webhooks']) {
      expect((await api.app.inject({ method: 'POST', url: path, headers: mine, payload: {} })).statusCode).toBe(403)
    }
  })

  it('gives a browser less storage, no webhook_url, and no way to the storage of others', async () => {
    const headers = { authorization: `Bearer ${await openBrowser(api.app, '192.0.2.23').token()}` }
    const post = async (url: string, payload: object) =>
      (await api.app.inject({ method: 'POST', url: `/v1/process/${url}`, headers, payload })).statusCode
    const tasks = { a: { operation: 'import/upload' } }
    expect(await post('jobs', { tasks, webhook_url: 'https://hook.example/x' })).toBe(403)
    expect(await post('jobs', { tasks })).toBe(201)
    const sftp = { host: 'sftp.example', username: 'x', password: 'guess', file_string: '/a.png' }
    expect(await post('import/sftp', sftp)).toBe(403)
    expect(await post('jobs', { tasks: { a: { operation: 'import/sftp', ...sftp } } })).toBe(403)
    const account = (await api.app.inject({ url: '/v1/account', headers })).json()
    expect(JSON.stringify(account)).toContain(String(2 * 1024 ** 3))
    const { headers: owner } = await api.createKey()
    const answer = await api.app.inject({
      method: 'POST',
      url: '/v1/process/import/sftp',
      headers: owner,
      payload: sftp,
    })
    expect(answer.statusCode).toBe(201)
    await using allowing = await startApi({ env: { ACCOUNTS_MODE: 'open', ANONYMOUS_CONNECTORS: 'import/sftp' } })
    const token = await openBrowser(allowing.app).token()
    const made = { method: 'POST', url: '/v1/process/import/sftp', payload: sftp } as const
    expect((await allowing.app.inject({ ...made, headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(201)
  })

  it('counts new browsers of an IPv6 /48 together', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 49; n += 1) {
      const browser = openBrowser(api.app, `2001:db8:48:${n.toString(16)}::1`)
      statuses.push((await browser.change('POST', '/auth/token')).status)
    }
    expect(statuses).toEqual([...Array(48).fill(200), 429])
  })

  it('still needs a bearer token for the API', async () => {
    const browser = openBrowser(api.app, '192.0.2.22')
    await browser.token()
    expect((await browser.get('/v1/account')).status).toBe(401)
    const { headers } = await api.createKey()
    expect((await api.app.inject({ url: '/v1/account', headers })).statusCode).toBe(200)
  })

  it('has no sign-in', async () => {
    const browser = openBrowser(api.app)
    expect((await browser.change('POST', '/auth/sign-in', { email: 'a@x.example', password: 'x' })).status).toBe(404)
    expect((await browser.change('POST', '/auth/setup')).status).toBe(404)
  })

  it('limits new owners per hour and network [D-auth-11]', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      const browser = openBrowser(api.app, `2001:db8:7:7::${n}`)
      statuses.push((await browser.change('POST', '/auth/token')).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await openBrowser(api.app, '2001:db8:7:8::1').change('POST', '/auth/token')).status).toBe(200)
  })
})

describe('mode proxy', () => {
  let api: TestApi
  const proxy = '192.0.2.50'
  beforeAll(async () => {
    api = await startApi({
      env: {
        ...{ ACCOUNTS_MODE: 'proxy', ACCOUNTS_PROXIES: `${proxy}, fd00::/8`, ACCOUNTS_PROXY_ADMINS: 'root' },
        // A proxy that is trusted for IP addresses must not be trusted for users.
        LATHE_TRUSTED_PROXIES: '192.0.2.60',
      },
    })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  it('does not start without the addresses of proxies [D-auth-12]', async () => {
    await expect(startApi({ env: { ACCOUNTS_MODE: 'proxy' } })).rejects.toThrow('ACCOUNTS_PROXIES')
  })

  it('signs in the user that the proxy names [D-auth-12]', async () => {
    const browser = openBrowser(api.app, proxy)
    const named = { 'remote-user': 'Ada' }
    const shown = await browser.get<SessionView>('/auth/session', named)
    expect(shown.body).toMatchObject({ mode: 'proxy', signedIn: true, user: { name: 'Ada', isAdmin: false } })
    const issued = await browser.change<{ token: string }>('POST', '/auth/token', {}, named)
    const headers = { authorization: `Bearer ${issued.body.token}` }
    expect((await api.app.inject({ url: '/v1/account', headers })).json()).toMatchObject({ id: shown.body.user?.id })
    const again = await browser.get<SessionView>('/auth/session', { 'remote-user': 'ada' })
    expect(again.body.user?.id).toBe(shown.body.user?.id)
    const root = await openBrowser(api.app, 'fd00::1').get<SessionView>('/auth/session', { 'remote-user': 'root' })
    expect(root.body.user?.isAdmin).toBe(true)
  })

  it.each([
    ['an address that is no proxy', '192.0.2.51', { 'remote-user': 'ada' }],
    ['a proxy that is trusted for addresses alone', '192.0.2.60', { 'remote-user': 'ada', 'x-forwarded-for': proxy }],
    ['a client that claims to come by the proxy', '192.0.2.51', { 'remote-user': 'ada', 'x-forwarded-for': proxy }],
    ['the proxy, without a name', proxy, {}],
    ['the proxy, with an empty name', proxy, { 'remote-user': ' ' }],
    ['the proxy, with two names', proxy, { 'remote-user': 'ada, root' }],
  ])('signs in nobody for %s [D-auth-12]', async (_, address, headers) => {
    const browser = openBrowser(api.app, address)
    expect((await browser.get<SessionView>('/auth/session', headers)).body.signedIn).toBe(false)
    expect((await browser.change('POST', '/auth/token', {}, headers)).status).toBe(401)
    expect(browser.cookie).toBeUndefined()
  })

  it('rejects a cookie of another user than the proxy names', async () => {
    const browser = openBrowser(api.app, proxy)
    const issue = async (name: string) => {
      const { body } = await browser.change<{ token: string }>('POST', '/auth/token', {}, { 'remote-user': name })
      const headers = { authorization: `Bearer ${body.token}` }
      return (await api.app.inject({ url: '/v1/account', headers })).json().id
    }
    const ada = await issue('ada')
    const cookie = browser.cookie
    expect(await issue('ada')).toBe(ada)
    expect(browser.cookie).toBe(cookie)
    expect(await issue('bob')).not.toBe(ada)
    browser.cookie = cookie
    expect((await browser.change('POST', '/auth/token')).status).toBe(401)
    expect((await browser.change('POST', '/auth/sign-out')).status).toBe(401)
  })
})

describe('after a change of mode', () => {
  it('sessions and tokens of browsers without sign-in are invalid', async () => {
    await using api = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
    const { auth, database } = api.services
    if (!auth) throw new Error('no accounts')
    const opened = await database.transaction(async (tx) => {
      const userId = await auth.visitors.createAnonymous(tx)
      return auth.sessions.open(tx, { userId, kind: 'anonymous', address: '192.0.2.1', userAgent: '' })
    })
    const browser = openBrowser(api.app)
    browser.cookie = `__Host-lathe=${opened.cookie}`
    expect((await browser.get<SessionView>('/auth/session')).body).toMatchObject({ signedIn: false, owners: [] })
    expect((await browser.change('POST', '/auth/token')).status).toBe(401)
    expect(await auth.sessions.issueToken(opened.session, opened.session.userId)).toBeUndefined()
    const { rows } = await database.pool.query('select from sessions where id = $1', [bytes(opened.session.id)])
    expect(rows).toHaveLength(1)
  })
})
