import type { Account, ApiKey, ApiKeyList, ApiKeyWithText, ErrorBody } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { STORED_BYTES_PER_OWNER: '0', TASKS_OPEN_PER_OWNER: '77' } })
})
afterAll(() => api[Symbol.asyncDispose]())

const all = ['task.read', 'task.write', 'webhook.read', 'webhook.write', 'account.read', 'account.write'] as const
const root = '/v1/account/keys'

/** A user whose key has these scopes. */
async function newUser(scopes: readonly (typeof all)[number][] = all) {
  const { key, keyId, userId } = await api.createKey(scopes)
  async function call<T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    more = {},
    by = key,
  ) {
    const headers = { authorization: `Bearer ${by}`, ...more }
    const answer = await api.app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: (answer.body && answer.json()) as T, headers: answer.headers }
  }
  return { key, keyId, userId, call }
}

/** The status of a request with a key, by the IP address it comes from. */
function statusFrom(key: string | null) {
  const headers = { authorization: `Bearer ${key}` }
  return async (remoteAddress: string) =>
    (await api.app.inject({ url: '/v1/process/tasks', headers, remoteAddress })).statusCode
}

describe('the account', () => {
  it('shows plan, use and limits [D-http-71]', async () => {
    const { call, userId } = await newUser()
    await api.services.database.pool.query(
      `update owners set minutes_a_month = 10, minutes_a_task = 3, used_ms = 90000,
              used_in = date_trunc('month', now() at time zone 'utc')::date where id = $1`,
      [bytes(userId)],
    )
    await call('POST', '/v1/process/import/upload')
    const { status, body } = await call<Account>('GET', '/v1/account')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: userId,
      name: 'test',
      plan: { slots: 4, minutesPerMonth: 10, minutesPerTask: 3 },
      usage: { minutes: 1.5, minutesLeft: 8.5, openTasks: 1, runningTasks: 0, waitingTasks: 0, storedBytes: 0 },
      limits: { openTasks: 77, storedBytes: null, requestsPerMinute: 100_000 },
    })
  })

  it('shows what has no limit as null', async () => {
    const { call } = await newUser()
    const { body } = await call<Account>('GET', '/v1/account')
    expect(body).toMatchObject({ plan: { minutesPerMonth: null, minutesPerTask: null }, usage: { minutesLeft: null } })
  })
})

describe('an API key', () => {
  it('is created, works, is listed, renamed and revoked [D-http-70]', async () => {
    const { call, keyId } = await newUser()
    const made = await call<ApiKeyWithText>('POST', root, { name: 'build server', scopes: ['task.read'] })
    expect(made.status).toBe(201)
    const { key, ...shown } = made.body
    expect(shown).toMatchObject({ name: 'build server', scopes: ['task.read'], last4: key?.slice(-4), expiresAt: null })
    expect((await call('GET', '/v1/process/tasks', undefined, {}, key ?? '')).status).toBe(200)
    expect((await call('GET', '/v1/account', undefined, {}, key ?? '')).status).toBe(403)

    const list = await call<ApiKeyList>('GET', root)
    expect(list.body.keys.map(({ id }) => id)).toEqual([shown.id, keyId])
    expect(JSON.stringify(list.body)).not.toContain(key?.slice(6, 30))

    const renamed = await call<ApiKey>('PATCH', `${root}/${shown.id}`, { name: 'other' })
    expect(renamed).toMatchObject({ status: 200, body: { id: shown.id, name: 'other' } })

    expect((await call('DELETE', `${root}/${shown.id}`)).status).toBe(200)
    expect((await call('GET', '/v1/process/tasks', undefined, {}, key ?? '')).status).toBe(401)
    expect((await call('DELETE', `${root}/${shown.id}`)).status).toBe(404)
    expect((await call('PATCH', `${root}/${shown.id}`, { name: 'again' })).status).toBe(404)
    const after = await call<ApiKeyList>('GET', root)
    expect(after.body.keys.find(({ id }) => id === shown.id)?.revokedAt).toMatch(/Z$/)
  })

  it('has the scopes of the key that created it by default, except for account.write [D-http-70]', async () => {
    const { call } = await newUser(['task.read', 'account.write'])
    expect((await call<ApiKey>('POST', root, { name: 'a' })).body.scopes).toEqual(['task.read'])
    const more = await call<ErrorBody>('POST', root, { name: 'a', scopes: ['task.read', 'task.write'] })
    expect(more.status).toBe(400)
    expect(more.body.errors?.[0]).toMatchObject({ path: 'scopes', msg: expect.stringContaining('It lacks task.write') })
    const heir = await call<ApiKey>('POST', root, { name: 'a', scopes: ['account.write'] })
    expect(heir.body.scopes).toEqual(['account.write'])
  })

  it('expires at the given time [D-http-70]', async () => {
    const { call } = await newUser()
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { body } = await call<ApiKeyWithText>('POST', root, { name: 'guest', expiresAt })
    expect(body.expiresAt).toBe(expiresAt)
    await api.services.database.pool.query(`update api_keys set expires_at = now() - interval '1 s' where id = $1`, [
      bytes(body.id),
    ])
    expect((await call('GET', '/v1/process/tasks', undefined, {}, body.key ?? '')).status).toBe(401)
  })

  it('works from its allowed addresses, and from no other [D-http-70]', async () => {
    const { call } = await newUser()
    const allowedIps = ['192.0.2.0/24', '2001:db8::1']
    const { body } = await call<ApiKeyWithText>('POST', root, { name: 'office', allowedIps })
    expect(body.allowedIps).toEqual(allowedIps)
    const from = statusFrom(body.key)
    expect(await from('192.0.2.77')).toBe(200)
    expect(await from('::ffff:192.0.2.77')).toBe(200)
    expect(await from('2001:db8::1')).toBe(200)
    expect(await from('198.51.100.1')).toBe(403)
    expect(await from('2001:db8::2')).toBe(403)
  })

  it('is limited to other addresses, and to none, from the next request on', async () => {
    const { call } = await newUser()
    const { body: made } = await call<ApiKeyWithText>('POST', root, { name: 'office', allowedIps: ['192.0.2.0/24'] })
    const status = statusFrom(made.key)
    expect([await status('192.0.2.7'), await status('198.51.100.7')]).toEqual([200, 403])

    const moved = await call<ApiKey>('PATCH', `${root}/${made.id}`, { allowedIps: ['198.51.100.7', '2001:db8::/48'] })
    expect(moved).toMatchObject({ status: 200, body: { name: 'office' } })
    expect(moved.body.allowedIps).toEqual(['198.51.100.7', '2001:db8::/48'])
    expect([await status('192.0.2.7'), await status('198.51.100.7')]).toEqual([403, 200])

    const renamed = await call<ApiKey>('PATCH', `${root}/${made.id}`, { name: 'home' })
    expect(renamed.body).toMatchObject({ name: 'home', allowedIps: moved.body.allowedIps })

    const open = await call<ApiKey>('PATCH', `${root}/${made.id}`, { allowedIps: null })
    expect(open.body).toMatchObject({ name: 'home', allowedIps: null })
    expect(await status('203.0.113.7')).toBe(200)
  })

  it.each([
    [{ allowedIps: [] }, 'allowedIps'],
    [{ allowedIps: 'everywhere' }, 'allowedIps'],
    [{ allowedIps: ['192.0.2.1', 'everywhere'] }, 'allowedIps[1]'],
    [{ allowedIps: Array(21).fill('192.0.2.1') }, 'allowedIps'],
    [{ scopes: ['task.read'] }, 'scopes'],
  ])('is not changed to %j, and %s is named', async (change, path) => {
    const { call, keyId } = await newUser()
    const refused = await call<ErrorBody>('PATCH', `${root}/${keyId}`, change)
    expect(refused.status).toBe(400)
    expect(refused.body.errors?.map((error) => error.path)).toEqual([path])
  })

  it('that is limited to addresses allows no others, for itself, another or a new one', async () => {
    const { call, keyId } = await newUser()
    const limits = { allowedIps: ['127.0.0.0/8', '192.0.2.0/24'] }
    const { body: limited } = await call<ApiKeyWithText>('POST', root, { name: 'limited', scopes: all, ...limits })
    const ask = <T>(method: 'POST' | 'PATCH', url: string, body: object) =>
      call<T>(method, url, body, {}, limited.key ?? '')
    const beyond = ['0.0.0.0/0', '192.0.2.0/23', '::/0', '::ffff:192.0.2.0/120']
    for (const id of [limited.id, keyId]) {
      for (const allowedIps of [null, '', ...beyond.map((range) => ['192.0.2.1', range])]) {
        const refused = await ask<ErrorBody>('PATCH', `${root}/${id}`, { allowedIps })
        expect(refused.status).toBe(400)
        expect(refused.body.msg).toContain('it may be used from 127.0.0.0/8, 192.0.2.0/24 only')
      }
    }
    expect((await ask('POST', root, { name: 'heir', allowedIps: ['192.0.2.1', '198.51.100.1'] })).status).toBe(400)
    const heir = await ask<ApiKey>('POST', root, { name: 'heir', allowedIps: null })
    expect(heir).toMatchObject({ status: 201, body: limits })

    const narrowed = await ask<ApiKey>('PATCH', `${root}/${limited.id}`, { allowedIps: ['127.0.0.1'] })
    expect(narrowed).toMatchObject({ status: 200, body: { allowedIps: ['127.0.0.1'] } })
    expect((await ask('PATCH', `${root}/${limited.id}`, limits)).status).toBe(400)
    expect((await call('PATCH', `${root}/${limited.id}`, limits)).status).toBe(200)
  })

  it('decides where others may be used only if it has all their scopes', async () => {
    const { call } = await newUser()
    const { body: office } = await call<ApiKey>('POST', root, { name: 'office', allowedIps: ['192.0.2.1'] })
    const { body: keeper } = await call<ApiKeyWithText>('POST', root, { name: 'keeper', scopes: ['account.write'] })
    const refused = await call<ErrorBody>('PATCH', `${root}/${office.id}`, { allowedIps: null }, {}, keeper.key ?? '')
    expect(refused.status).toBe(403)
    expect(refused.body.msg).toContain('It lacks task.read')
    const { body: list } = await call<ApiKeyList>('GET', root)
    expect(list.keys.find(({ id }) => id === office.id)?.allowedIps).toEqual(['192.0.2.1'])
    expect((await call('PATCH', `${root}/${office.id}`, { name: 'home' }, {}, keeper.key ?? '')).status).toBe(200)
  })

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a', scopes: [] }, 'scopes'],
    [{ name: 'a', scopes: ['everything'] }, 'scopes'],
    [{ name: 'a', expiresAt: 'soon' }, 'expiresAt'],
    [{ name: 'a', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ name: 'a', allowedIps: ['192.0.2.1', 'everywhere'] }, 'allowedIps[1]'],
    [{ name: 'a', owner: 'b'.repeat(24) }, 'owner'],
  ])('is refused as %j, and %s is named', async (body, path) => {
    const { call } = await newUser()
    const refused = await call<ErrorBody>('POST', root, body)
    expect(refused.status).toBe(400)
    expect(refused.body.errors?.map((error) => error.path)).toEqual([path])
  })

  it('is made once by a repeated request, and shown once', async () => {
    const { call } = await newUser()
    const again = { 'idempotency-key': 'a-key-for-a-key' }
    const first = await call<ApiKeyWithText>('POST', root, { name: 'once' }, again)
    const second = await call<ApiKeyWithText>('POST', root, { name: 'once' }, again)
    expect(second).toMatchObject({ status: 201, body: { id: first.body.id, key: null } })
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await call('POST', root, { name: 'another' }, again)).status).toBe(409)
  })

  it('is refused beyond a hundred that work, however many ask at once', async () => {
    const { call, userId } = await newUser()
    await api.services.database.pool.query(
      `insert into api_keys (id, owner_id, user_id, name, hash, last4, scopes)
       select decode(lpad(to_hex(n), 8, '0') || substr(encode($1, 'hex'), 9), 'hex'), $1, $1, 'many',
              sha256($1 || n::text::bytea), 'last', '{task.read}' from generate_series(1, 96) n`,
      [bytes(userId)],
    )
    const answers = await Promise.all(Array.from({ length: 8 }, () => call<ErrorBody>('POST', root, { name: 'more' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body.msg).toContain('Revoke one')
  })

  it('of somebody else is not found, and stays', async () => {
    const [ada, bob] = [await newUser(), await newUser()]
    expect((await bob.call('PATCH', `${root}/${ada.keyId}`, { name: 'mine' })).status).toBe(404)
    expect((await bob.call('PATCH', `${root}/${ada.keyId}`, { allowedIps: ['192.0.2.1'] })).status).toBe(404)
    expect((await bob.call('DELETE', `${root}/${ada.keyId}`)).status).toBe(404)
    expect((await ada.call<ApiKeyList>('GET', root)).body.keys).toMatchObject([
      { name: 'test', allowedIps: null, revokedAt: null },
    ])
  })

  it('without account.write cannot create or revoke keys', async () => {
    const { call, keyId } = await newUser(['account.read', 'task.write'])
    expect((await call('GET', root)).status).toBe(200)
    expect((await call('POST', root, { name: 'a' })).status).toBe(403)
    expect((await call('PATCH', `${root}/${keyId}`, { allowedIps: null })).status).toBe(403)
    expect((await call('DELETE', `${root}/${keyId}`)).status).toBe(403)
  })
})
