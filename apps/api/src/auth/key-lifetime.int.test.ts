import { bytes } from '@lathe/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { ask, newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

const password = 'seven green bottles'
let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
})
afterAll(() => api[Symbol.asyncDispose]())

interface Key {
  readonly id: string
  readonly key: string
  readonly expiresAt: string | null
}

const keysPath = '/v1/account/keys'
const everything = ['task.read', 'task.write', 'account.read', 'account.write']

/** Moves the last proof of identity of all sessions of a user, and their sign-in, into the past. */
async function age({ userId }: Person, minutes: number): Promise<void> {
  await api.services.database.pool.query(
    `update sessions set confirmed_at = confirmed_at - $2 * interval '1 minute',
                         created_at = created_at - $2 * interval '1 minute' where user_id = $1`,
    [bytes(userId), minutes],
  )
}

async function newPersonWithPassword(): Promise<Person> {
  const person = await newPerson(api)
  const { auth, database } = api.services
  const login = await auth?.logins.of(person.userId)
  if (login) await database.transaction((tx) => auth?.logins.setPassword(tx, login, password) ?? Promise.resolve())
  return person
}

const isAlive = async (key: string) => (await ask(api, key, 'GET', '/v1/account')).status === 200

describe('a key that is made by a key', () => {
  it('expires no later than its maker', async () => {
    const person = await newPerson(api)
    const [now, end] = [Date.now(), new Date(Date.now() + 3_600_000).toISOString()]
    const wanted = { name: 'maker', scopes: everything, expiresAt: end }
    const maker = (await person.call('POST', keysPath, wanted)).body as Key
    const make = (more: object) => ask(api, maker.key, 'POST', keysPath, { name: 'made', scopes: everything, ...more })
    for (const more of [{}, { expiresAt: null }]) {
      const made = (await make(more)).body as Key
      expect(made.expiresAt).toBe(end)
      // And so do those that it makes.
      const next = await ask(api, made.key, 'POST', keysPath, { name: 'next' })
      expect((next.body as Key).expiresAt).toBe(end)
    }
    const later = await make({ expiresAt: new Date(now + 3_601_000).toISOString() })
    expect(later).toMatchObject({ status: 400, body: { errors: [{ path: 'expiresAt', code: 'conflict' }] } })
    const sooner = new Date(now + 600_000).toISOString()
    expect((await make({ expiresAt: sooner })).body).toMatchObject({ expiresAt: sooner })
  })

  it('does not expire if its maker does not', async () => {
    const person = await newPerson(api)
    const maker = (await person.call('POST', keysPath, { name: 'maker', scopes: everything })).body as Key
    expect((await ask(api, maker.key, 'POST', keysPath, { name: 'made' })).body).toMatchObject({ expiresAt: null })
  })
})

describe('a page that was opened a while ago', () => {
  it('makes no key until its user has confirmed their identity by the password', async () => {
    const person = await newPersonWithPassword()
    expect((await person.call('POST', keysPath, { name: 'fresh' })).status).toBe(201)
    await age(person, 11)
    const refused = await person.call('POST', keysPath, { name: 'thief' })
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ path: 'current', code: 'required' }] } })
    const wrong = await person.browser.change('POST', '/auth/confirm', { current: 'wrong' })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'current' }] } })
    expect((await person.browser.change('POST', '/auth/confirm', {})).status).toBe(400)
    expect((await person.call('POST', keysPath, { name: 'thief' })).status).toBe(403)
    expect((await person.browser.change('POST', '/auth/confirm', { current: password })).status).toBe(204)
    expect((await person.call('POST', keysPath, { name: 'own' })).status).toBe(201)
    await age(person, 11)
    expect((await person.call('POST', keysPath, { name: 'thief' })).status).toBe(403)
  })

  it('makes no key for users without a password until they have signed in again', async () => {
    const person = await newPerson(api)
    await age(person, 11)
    expect((await person.call('POST', keysPath, { name: 'thief' })).status).toBe(403)
    expect((await person.browser.change('POST', '/auth/confirm', {})).status).toBe(403)
    expect((await person.call('POST', keysPath, { name: 'thief' })).status).toBe(403)
  })

  it('approves no program', async () => {
    const person = await newPersonWithPassword()
    await age(person, 11)
    const started = await api.app.inject({ method: 'POST', url: '/v1/device/authorize', payload: { client_name: 'x' } })
    const { user_code: userCode, device_code } = started.json<{ user_code: string; device_code: string }>()
    const approval = { userCode, ownerId: person.userId }
    expect((await person.browser.change('POST', '/auth/device/approve', approval)).status).toBe(403)
    await person.browser.change('POST', '/auth/confirm', { current: password })
    expect((await person.browser.change('POST', '/auth/device/approve', approval)).status).toBe(204)
    // A program that has not fetched its key gets none after a change of the password.
    await person.browser.change('POST', '/auth/password', { current: password, password: 'nine blue bottles' })
    const polled = await api.app.inject({ method: 'POST', url: '/v1/device/token', payload: { device_code } })
    expect(polled.json()).toMatchObject({ errorCode: 'access_denied' })
  })
})

it('a change of the password revokes the keys of the user in all owners on request, and those of nobody else', async () => {
  const [person, other] = [await newPersonWithPassword(), await newPerson(api)]
  const teamId = await newTeam(person, { admin: other })
  const made = async (maker: Person, ownerId?: string) =>
    ((await maker.call('POST', keysPath, { name: 'k' }, ownerId)).body as Key).key
  const mine = [await made(person), await made(person, teamId)]
  const theirs = [await made(other), await made(other, teamId)]
  const change = (current: string, next: string, more = {}) =>
    person.browser.change('POST', '/auth/password', { current, password: next, ...more })
  expect((await change(password, 'nine blue bottles')).status).toBe(204)
  expect(await Promise.all(mine.map(isAlive))).toEqual([true, true])
  expect((await change('nine blue bottles', password, { revokeKeys: true })).status).toBe(204)
  expect(await Promise.all(mine.map(isAlive))).toEqual([false, false])
  expect(await Promise.all(theirs.map(isAlive))).toEqual([true, true])
  const log = await person.call('GET', '/v1/audit?per_page=2', undefined, teamId)
  expect((log.body as { docs: object[] }).docs[0]).toMatchObject({
    ...{ action: 'key.revoked', userId: person.userId, detail: { by: 'password change' } },
  })
  // A page that was signed in before is signed out, and so makes no key either.
  expect((await openBrowser(api.app).change('POST', '/auth/token', {})).status).toBe(401)
})
