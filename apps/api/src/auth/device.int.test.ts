import type { ApiKeyList, AuditPage, DeviceLogin, DeviceToken, ErrorBody } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { DeviceView } from './device.ts'
import type { SessionView } from './show-session.ts'

const password = 'seven green bottles'
let api: TestApi
let people = 0

beforeAll(async () => {
  api = await startApi({
    env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ACCOUNT: '5', DEVICE_LOGINS_PER_ADDRESS: '12' },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

/** A signed-in user with their own network. */
async function newPerson(): Promise<{ browser: Browser; userId: string; email: string }> {
  people += 1
  const email = `person-${people}@x.example`
  const { auth, database } = api.services
  await database.transaction(async (tx) => auth?.logins.create(tx, { name: email, email, password, isAdmin: false }))
  const browser = openBrowser(api.app, `192.0.2.${people}`)
  const { body } = await browser.change<SessionView>('POST', '/auth/sign-in', { email, password })
  return { browser, userId: body.user?.id ?? '', email }
}

/** A program that requests a sign-in, with its own network. */
function newProgram(remoteAddress = `198.51.100.${people}`, target = api) {
  async function post<T>(url: string, payload: object) {
    const answer = await target.app.inject({ method: 'POST', url, payload, remoteAddress })
    return { status: answer.statusCode, body: answer.json() as T, headers: answer.headers }
  }
  const start = (more: object = {}) =>
    post<DeviceLogin>('/v1/device/authorize', { client_name: 'lathe on box', ...more })
  const poll = async ({ device_code }: Pick<DeviceLogin, 'device_code'>) =>
    post<DeviceToken & ErrorBody>('/v1/device/token', { device_code })
  return { start, poll, post }
}

const keysOf = async (bearer: string) =>
  (await api.app.inject({ url: '/v1/account/keys', headers: { authorization: `Bearer ${bearer}` } })).json<ApiKeyList>()
    .keys

/** Simulates that the program has waited. */
const waitInterval = () => api.services.database.pool.query('update device_codes set polled_at = null')

describe('signing in on a device', () => {
  it('gives one key, named after the program, when the person has approved [D-auth-17]', async () => {
    const { browser, userId } = await newPerson()
    const program = newProgram()
    const { status, body: login, headers } = await program.start({ scopes: ['task.read', 'account.read'] })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(login).toMatchObject({ verification_uri: 'https://lathe.test/device', expires_in: 600, interval: 3 })
    expect(login.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
    expect(login.verification_uri_complete).toBe(`https://lathe.test/device#${login.user_code}`)
    expect((await program.poll(login)).body).toMatchObject({ status: 400, errorCode: 'authorization_pending' })

    // As users type it.
    const userCode = ` ${login.user_code.toLowerCase().replace('-', ' ')}`
    const { body: shown } = await browser.change<DeviceView>('POST', '/auth/device/show', { userCode })
    expect(shown).toMatchObject({
      ...{ name: 'lathe on box', address: `198.51.100.${people}`, isSameNetwork: false, mayApprove: true },
      ...{ scopes: ['task.read', 'account.read'], owner: { id: userId } },
    })
    const approval = { userCode, ownerId: shown.owner.id }
    expect((await browser.change('POST', '/auth/device/approve', approval)).status).toBe(204)
    expect((await browser.change('POST', '/auth/device/approve', approval)).status).toBe(404)

    const { status: given, body: token, headers: sent } = await program.poll(login)
    expect([given, sent['cache-control']]).toEqual([200, 'no-store'])
    expect(token).toMatchObject({ token_type: 'Bearer', name: 'lathe on box', scopes: ['task.read', 'account.read'] })
    const [key, ...others] = await keysOf(token.access_token)
    expect(others).toEqual([])
    expect(key).toMatchObject({ id: token.key_id, name: 'lathe on box', scopes: token.scopes, expiresAt: null })

    // A second poll, as after a lost answer.
    const again = await program.poll(login)
    expect(again.body).toMatchObject({ status: 400, errorCode: 'expired_token' })
    expect(again.body.msg).toContain('revoke it')
    expect(await keysOf(token.access_token)).toHaveLength(1)
  })

  it('records in the audit log who approved what, and the created key [D-auth-17]', async () => {
    const { browser, userId } = await newPerson()
    const program = newProgram()
    const { body: login } = await program.start()
    await browser.change('POST', '/auth/device/approve', { userCode: login.user_code, ownerId: userId })
    const { body: token } = await program.poll(login)
    const headers = { authorization: `Bearer ${await browser.token()}` }
    const { docs } = (await api.app.inject({ url: '/v1/audit', headers })).json<AuditPage>()
    const [created, approved] = docs
    expect(created).toMatchObject({
      ...{ action: 'key.created', userId, via: 'session', subjectId: token.key_id, address: `198.51.100.${people}` },
      detail: { name: 'lathe on box', by: 'device' },
    })
    expect(approved).toMatchObject({ action: 'device.approved', address: `192.0.2.${people}`, viaId: created?.viaId })
    expect(approved?.detail).toMatchObject({ name: 'lathe on box', address: `198.51.100.${people}` })
    expect(JSON.stringify(docs)).not.toContain(login.user_code)
  })

  it('ends when the person denies it [D-auth-17]', async () => {
    const { browser } = await newPerson()
    const program = newProgram()
    const { body: login } = await program.start()
    expect((await browser.change('POST', '/auth/device/deny', { userCode: login.user_code })).status).toBe(204)
    expect((await program.poll(login)).body).toMatchObject({ status: 400, errorCode: 'access_denied' })
    expect((await browser.change('POST', '/auth/device/show', { userCode: login.user_code })).status).toBe(404)
  })

  it('gives one key to two polls at the same moment [D-auth-17]', async () => {
    const { browser, userId } = await newPerson()
    const program = newProgram()
    const { body: login } = await program.start()
    await browser.change('POST', '/auth/device/approve', { userCode: login.user_code, ownerId: userId })
    const answers = await Promise.all(Array.from({ length: 6 }, () => program.poll(login)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect(await keysOf(given[0]?.body.access_token ?? '')).toHaveLength(1)
  })

  it('makes no key if the audit log cannot be written, and gives it to the next poll [D-auth-17]', async () => {
    let isBroken = true
    await using broken = await startApi({
      env: { ACCOUNTS_MODE: 'accounts' },
      replace: ({ audit }) => ({
        audit: async (tx, actor, entry) => {
          if (isBroken && entry.action === 'key.created') throw new Error('no log')
          return audit(tx, actor, entry)
        },
      }),
    })
    const { auth, database } = broken.services
    const person = { name: 'x', email: 'x@x.example', password, isAdmin: false }
    const made = await database.transaction(async (tx) => auth?.logins.create(tx, person))
    const browser = openBrowser(broken.app)
    await browser.change('POST', '/auth/sign-in', { email: 'x@x.example', password })
    const program = newProgram('198.51.100.1', broken)
    const { body: login } = await program.start()
    await browser.change('POST', '/auth/device/approve', { userCode: login.user_code, ownerId: made?.userId ?? '' })
    expect((await program.poll(login)).status).toBe(500)
    expect((await database.pool.query('select from api_keys')).rowCount).toBe(0)
    isBroken = false
    expect((await program.poll(login)).status).toBe(200)
    expect((await database.pool.query('select from api_keys')).rowCount).toBe(1)
  })

  it('slows down a client that polls too often, and no other [D-auth-18]', async () => {
    const program = newProgram()
    const { body: login } = await program.start()
    const codes = async (count: number) => {
      const found: unknown[] = []
      for (let n = 0; n < count; n += 1) found.push((await program.poll(login)).body.errorCode)
      return found
    }
    expect(await codes(3)).toEqual(['authorization_pending', 'slow_down', 'slow_down'])
    const { rows } = await api.services.database.pool.query('select max(interval_s) as most from device_codes')
    expect(rows).toEqual([{ most: 13 }])
    await waitInterval()
    expect(await codes(1)).toEqual(['authorization_pending'])
  })

  it('ends after ten minutes, for the program and for the person [D-auth-17]', async () => {
    const { browser, userId } = await newPerson()
    const program = newProgram()
    const { body: login } = await program.start()
    await api.services.database.pool.query(`update device_codes set expires_at = expires_at - interval '601 seconds'`)
    expect((await program.poll(login)).body.errorCode).toBe('expired_token')
    const approval = { userCode: login.user_code, ownerId: userId }
    expect((await browser.change('POST', '/auth/device/approve', approval)).status).toBe(404)
    expect((await program.poll({ device_code: 'x'.repeat(43) })).body.errorCode).toBe('expired_token')
  })

  it('stores neither code in plain text [D-auth-17]', async () => {
    const program = newProgram()
    const { body: login } = await program.start()
    const { rows } = await api.services.database.pool.query('select row_to_json(d)::text as row from device_codes d')
    const kept = JSON.stringify(rows)
    const hexOf = (text: string) => Buffer.from(text).toString('hex')
    for (const code of [login.device_code, login.user_code, login.user_code.replace('-', '')]) {
      expect(kept).not.toContain(code)
      expect(kept).not.toContain(hexOf(code))
    }
  })

  it('limits guesses of codes per person, and does not count right codes [D-auth-18]', async () => {
    const { browser } = await newPerson()
    const program = newProgram()
    const { body: login } = await program.start()
    const show = async (userCode: string) =>
      (await browser.change<ErrorBody>('POST', '/auth/device/show', { userCode })).status
    for (let n = 0; n < 4; n += 1) expect(await show('BBBB-BBBB')).toBe(404)
    for (let n = 0; n < 3; n += 1) expect(await show(login.user_code)).toBe(200)
    expect(await show('BBBB-BBBB')).toBe(404)
    expect(await show(login.user_code)).toBe(429)
    expect((await browser.change('POST', '/auth/device/deny', { userCode: login.user_code })).status).toBe(429)
  })

  it('limits how many are started from one address [D-auth-18]', async () => {
    const program = newProgram('203.0.113.1')
    const statuses: number[] = []
    for (let n = 0; n < 13; n += 1) statuses.push((await program.start()).status)
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429])
    expect((await newProgram('203.0.113.2').start()).status).toBe(200)
  })

  it('needs a person who is signed in', async () => {
    const { body: login } = await newProgram().start()
    const nobody = openBrowser(api.app)
    for (const path of ['show', 'deny']) {
      expect((await nobody.change('POST', `/auth/device/${path}`, { userCode: login.user_code })).status).toBe(401)
    }
  })
})

describe('the key of a device in a team', () => {
  it('belongs to the team that the person has chosen', async () => {
    const { browser } = await newPerson()
    const { body: team } = await browser.change<{ id: string }>('POST', '/auth/teams', { name: 'Turners' })
    await browser.change('POST', '/auth/owner', { ownerId: team.id })
    const program = newProgram()
    const { body: login } = await program.start()
    const code = { userCode: login.user_code }
    const { body: shown } = await browser.change<DeviceView>('POST', '/auth/device/show', code)
    expect(shown.owner).toEqual({ id: team.id, name: 'Turners' })
    await browser.change('POST', '/auth/device/approve', { ...code, ownerId: team.id })
    const { body: token } = await program.poll(login)
    const headers = { authorization: `Bearer ${token.access_token}` }
    expect((await api.app.inject({ url: '/v1/account', headers })).json()).toMatchObject({ id: team.id })
  })

  it('is not created for a member who may not create keys there, or for a former member [D-auth-17]', async () => {
    const [owner, member, stranger] = [await newPerson(), await newPerson(), await newPerson()]
    const { body: team } = await owner.browser.change<{ id: string }>('POST', '/auth/teams', { name: 'Millers' })
    const invite = async (role: string) => {
      const answer = await owner.browser.change<{ url: string }>('POST', `/auth/teams/${team.id}/invitations`, { role })
      return { link: answer.body.url.split('#')[1] }
    }
    await member.browser.change('POST', '/auth/invitations/accept', await invite('member'))
    const program = newProgram()
    const { body: login } = await program.start()
    const approval = { userCode: login.user_code, ownerId: team.id }
    expect((await member.browser.change('POST', '/auth/device/approve', approval)).status).toBe(403)
    expect((await stranger.browser.change('POST', '/auth/device/approve', approval)).status).toBe(403)
    await member.browser.change('POST', '/auth/owner', { ownerId: team.id })
    const shown = await member.browser.change<DeviceView>('POST', '/auth/device/show', { userCode: login.user_code })
    expect(shown.body.mayApprove).toBe(false)

    const asMember = `/auth/teams/${team.id}/members/${member.userId}`
    await owner.browser.change('PATCH', asMember, { role: 'admin' })
    expect((await member.browser.change('POST', '/auth/device/approve', approval)).status).toBe(204)
    expect((await owner.browser.change('DELETE', asMember)).status).toBe(200)
    expect((await program.poll(login)).body.errorCode).toBe('access_denied')
    const { rowCount } = await api.services.database.pool.query(
      `select from api_keys k join teams t on t.owner_id = k.owner_id where t.name = 'Millers'`,
    )
    expect(rowCount).toBe(0)
  })
})

it.each([{}, { ACCOUNTS_MODE: 'open' }, { ACCOUNTS_MODE: 'proxy', ACCOUNTS_PROXIES: '192.0.2.1' }])(
  'without accounts (%j), programs are told what to do instead [D-auth-17]',
  async (env) => {
    await using other = await startApi({ env })
    const program = newProgram('198.51.100.1', other)
    for (const answer of [await program.start(), await program.poll({ device_code: 'x' })]) {
      expect(answer.body).toMatchObject({ status: 400, errorCode: 'device_login_off' })
      expect((answer.body as Partial<ErrorBody>).msg).toContain('lathe login --key')
    }
  },
)
