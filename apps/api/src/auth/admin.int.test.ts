import type { ErrorBody } from '@lathe/contract'
import { bytes, findTasksOfClosed, insertWorker } from '@lathe/database'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { ask, join, newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

interface Account {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly email: string | null
  readonly isAdmin: boolean
  readonly suspendedAt: string | null
  readonly plan: { readonly slots: number; readonly minutesPerMonth: number | null }
}

let api: TestApi
let admin: Person
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts', ACCOUNT_SLOTS: '7' } })
  admin = await newPerson(api, 'Admin', { isAdmin: true })
})
afterAll(() => api[Symbol.asyncDispose]())

const list = (query = '') => admin.browser.get<{ data: Account[]; next?: string }>(`/auth/admin/accounts${query}`)
const change = (id: string, what: object) =>
  admin.browser.change<Account & ErrorBody>('PATCH', `/auth/admin/accounts/${id}`, what)

async function newKey(person: Person, ownerId?: string): Promise<string> {
  const { body } = await person.call('POST', '/v1/account/keys', { name: 'ci' }, ownerId)
  return (body as { key: string }).key
}

describe('administrators', () => {
  it('are the only ones who see and change accounts', async () => {
    const other = await newPerson(api)
    for (const [method, url, body] of [
      ['POST', '/auth/admin/accounts', { name: 'x', email: 'x@x.example' }],
      ['PATCH', `/auth/admin/accounts/${other.userId}`, { isAdmin: true }],
      ['POST', '/auth/admin/announcement', { text: 'x' }],
      ['POST', '/auth/admin/disabled-formats', { input: 'heic' }],
      ['DELETE', `/auth/admin/disabled-formats/${other.userId}`, undefined],
    ] as const) {
      expect([url, (await other.browser.change(method, url, body)).status]).toEqual([url, 403])
      expect([url, (await openBrowser(api.app).change(method, url, body)).status]).toEqual([url, 401])
    }
    for (const url of ['/auth/admin/accounts', '/auth/admin/instance']) {
      expect([url, (await other.browser.get(url)).status]).toEqual([url, 403])
    }
  })

  it('find people and teams by a part of their name or address, page by page', async () => {
    const person = await newPerson(api, 'Ümläut %_')
    const teamId = await newTeam(person)
    expect((await list('?search=ÜMLÄUT %25_')).body.data).toMatchObject([{ id: person.userId, kind: 'person' }])
    expect((await list(`?search=${person.email}`)).body.data).toMatchObject([{ id: person.userId }])
    expect((await list('?search=turners')).body.data[0]).toMatchObject({ id: teamId, kind: 'team', email: null })
    expect((await list('?search=nobody-has-this')).body.data).toEqual([])
    for (let n = 0; n < 52; n += 1) await newPerson(api, 'Many')
    const first = await list('?search=many')
    const second = await list(`?search=many&before=${first.body.next}`)
    expect([first.body.data.length, second.body.data.length, second.body.next]).toEqual([50, 2, undefined])
    expect(new Set([...first.body.data, ...second.body.data].map(({ id }) => id)).size).toBe(52)
  })

  it('add people, who sign in with a password that is shown once', async () => {
    const wanted = { name: 'New', email: 'New@x.example', isAdmin: true }
    const made = await admin.browser.change<{ id: string; password: string }>('POST', '/auth/admin/accounts', wanted)
    expect(made.status).toBe(201)
    const browser = openBrowser(api.app, '192.0.2.77')
    const signedIn = await browser.change<SessionView>('POST', '/auth/sign-in', {
      email: 'new@x.example',
      password: made.body.password,
    })
    expect(signedIn.body.user).toMatchObject({ id: made.body.id, isAdmin: true })
    expect((await admin.browser.change('POST', '/auth/admin/accounts', wanted)).status).toBe(400)
    expect((await change(made.body.id, { isAdmin: false })).status).toBe(200)
    expect((await browser.get('/auth/admin/accounts')).status).toBe(403)
  })

  it('set plans, of teams as well', async () => {
    const person = await newPerson(api)
    const teamId = await newTeam(person)
    const plan = { slots: 3, minutesPerMonth: 100 }
    expect((await change(teamId, { plan })).body.plan).toEqual({ ...plan, minutesPerTask: null, storageBytes: null })
    expect((await change(teamId, { plan: { minutesPerMonth: null } })).body.plan).toMatchObject({
      slots: 3,
      minutesPerMonth: null,
    })
    expect((await person.call('GET', '/v1/account', undefined, teamId)).body).toMatchObject({ plan: { slots: 3 } })
    const limitOf = async () => {
      const { body } = await person.call('GET', '/v1/account', undefined, teamId)
      return (body as { limits: { storedBytes: number | null } }).limits.storedBytes
    }
    const usual = await limitOf()
    for (const [storageBytes, shown] of [
      [5000, 5000],
      [0, null],
      [null, usual],
    ] as const) {
      expect((await change(teamId, { plan: { storageBytes } })).body.plan).toMatchObject({ slots: 3, storageBytes })
      expect(await limitOf()).toBe(shown)
    }
    for (const storageBytes of [-1, 1.5, 2 ** 51]) {
      expect((await change(teamId, { plan: { storageBytes } })).body.errors?.[0]?.path).toBe('plan.storageBytes')
    }
    const refused = await change(teamId, { plan: { slots: 0 } })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, 'plan.slots'])
    expect((await change('0'.repeat(24), { plan })).status).toBe(404)
    const log = await person.call('GET', '/v1/audit?action=plan.changed', undefined, teamId)
    expect((log.body as { docs: unknown[] }).docs).toHaveLength(5)
  })
})

describe('a suspended account', () => {
  it('can neither sign in nor act, by keys, tokens, sessions or links, until it may again', async () => {
    const person = await newPerson(api)
    const key = await newKey(person)
    const token = await person.browser.token()
    expect((await ask(api, key, 'GET', '/v1/account')).status).toBe(200)
    expect((await change(person.userId, { isSuspended: true })).body.suspendedAt).not.toBeNull()
    expect((await person.browser.get<SessionView>('/auth/session')).body.signedIn).toBe(false)
    for (const bearer of [key, token]) {
      await waitFor(async () => (await ask(api, bearer, 'GET', '/v1/account')).status === 401, { withinMs: 5000 })
    }
    expect((await change(person.userId, { isSuspended: false })).body.suspendedAt).toBeNull()
    expect((await ask(api, key, 'GET', '/v1/account')).status).toBe(200)
  })

  it('is named as the reason only after the right password', async () => {
    const wanted = { name: 'Bad', email: 'bad@x.example' }
    const made = await admin.browser.change<{ id: string; password: string }>('POST', '/auth/admin/accounts', wanted)
    await change(made.body.id, { isSuspended: true })
    const browser = openBrowser(api.app, '192.0.2.78')
    const signIn = (password: string) =>
      browser.change<ErrorBody>('POST', '/auth/sign-in', { email: wanted.email, password })
    expect((await signIn('a wrong password')).status).toBe(401)
    const refused = await signIn(made.body.password)
    expect([refused.status, refused.body.msg]).toEqual([403, expect.stringContaining('suspended')])
    expect(browser.cookie).toBeUndefined()
  })

  it('cannot act in its teams, and a suspended team not by any of its members', async () => {
    const [owner, member] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner)
    await join(owner, member, teamId, 'admin')
    const key = await newKey(member, teamId)
    await change(member.userId, { isSuspended: true })
    await waitFor(async () => (await ask(api, key, 'GET', '/v1/account')).status === 401, { withinMs: 5000 })
    await change(member.userId, { isSuspended: false })
    await change(teamId, { isSuspended: true })
    await waitFor(async () => (await ask(api, key, 'GET', '/v1/account')).status === 401, { withinMs: 5000 })
    expect((await owner.browser.change('POST', '/auth/token', { ownerId: teamId })).status).toBe(403)
    expect((await owner.call('GET', '/v1/account')).status).toBe(200)
  })

  it('is never the last administrator, however many try at once', async () => {
    const others = (await list()).body.data.filter(({ id, isAdmin }) => isAdmin && id !== admin.userId)
    for (const { id } of others) await change(id, { isAdmin: false })
    const second = await newPerson(api, 'Second', { isAdmin: true })
    const suspend = (by: Person, id: string) =>
      by.browser.change('PATCH', `/auth/admin/accounts/${id}`, { isSuspended: true })
    const ends = await Promise.all([suspend(admin, second.userId), suspend(second, admin.userId)])
    // The second request is no longer signed in, or is refused because its user is the last administrator.
    const statuses = ends.map(({ status }) => status).sort()
    expect([
      [200, 401],
      [200, 403],
    ]).toContainEqual(statuses)
    const left = ends[0]?.status === 200 ? admin : second
    for (const what of [{ isSuspended: true }, { isAdmin: false }]) {
      expect((await left.browser.change('PATCH', `/auth/admin/accounts/${left.userId}`, what)).status).toBe(403)
    }
    // Later tests need the first administrator.
    await left.browser.change('PATCH', `/auth/admin/accounts/${admin.userId}`, { isSuspended: false })
  })
})

describe('an account that an administrator deletes', () => {
  it('is deleted with its keys, unless a team would have no owner', async () => {
    const person = await newPerson(api)
    const teamId = await newTeam(person)
    const key = await newKey(person)
    const remove = () => admin.browser.change<ErrorBody>('DELETE', `/auth/admin/accounts/${person.userId}`)
    const refused = await remove()
    expect([refused.status, refused.body.msg]).toEqual([400, expect.stringContaining('only owner of: Turners')])
    await person.browser.change('DELETE', `/auth/teams/${teamId}`)
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    await waitFor(async () => (await ask(api, key, 'GET', '/v1/account')).status === 401, { withinMs: 5000 })
    expect((await list(`?search=${person.email}`)).body.data).toEqual([])
  })

  it('may be a team: it is deleted with its keys, tasks and members, even if tasks are open', async () => {
    const [owner, member] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { member })
    const key = await newKey(owner, teamId)
    await owner.call('POST', '/v1/process/import/upload', {}, teamId)
    const token = await member.browser.token({ ownerId: teamId })
    const remove = () => admin.browser.change<ErrorBody>('DELETE', `/auth/admin/accounts/${teamId}`)
    const ends = await Promise.all([remove(), remove()])
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 404])
    for (const bearer of [key, token]) {
      await waitFor(async () => (await ask(api, bearer, 'GET', '/v1/account')).status === 401, { withinMs: 5000 })
    }
    expect((await list('?search=turners')).body.data.map(({ id }) => id)).not.toContain(teamId)
    expect((await owner.browser.get<{ data: object[] }>('/auth/teams')).body.data).toEqual([])
    expect((await owner.browser.get(`/auth/teams/${teamId}/members`)).status).toBe(404)
    const { pool } = api.services.database
    const after = '0'.repeat(24)
    expect((await findTasksOfClosed(pool, { after, limit: 100 })).map(({ ownerId }) => ownerId)).toContain(teamId)
    const { rows } = await pool.query<{ ownerId: string; userId: string; via: string }>(
      `select owner_id as "ownerId", user_id as "userId", via from audit_log
        where action = 'team.deleted' and subject_id = $1`,
      [bytes(teamId)],
    )
    const entry = { userId: admin.userId, via: 'session' }
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(
      expect.arrayContaining([
        { ownerId: teamId, ...entry },
        { ownerId: admin.userId, ...entry },
      ]),
    )
  })

  it('may be the only owner of a team after the team is gone', async () => {
    const person = await newPerson(api)
    const teamId = await newTeam(person)
    const remove = async (id: string) => (await admin.browser.change('DELETE', `/auth/admin/accounts/${id}`)).status
    expect([await remove(person.userId), await remove(teamId), await remove(person.userId)]).toEqual([400, 204, 204])
  })
})

describe('the instance', () => {
  it('is shown with its workers and queues', async () => {
    const { body } = await admin.browser.get<Record<string, unknown>>('/auth/admin/instance')
    expect(body).toMatchObject({
      workers: [],
      queues: [],
      backlog: { tasks: 0 },
      announcement: null,
      disabledFormats: [],
    })
  })

  it('is shown with the engines of its workers, the tasks they run, and those that wait', async () => {
    const { pool } = api.services.database
    const [images, silent] = ['a1'.repeat(12), 'a2'.repeat(12)]
    const worker = { pools: ['process'], sandboxLevel: 2, engines: 4 }
    const lacks = ['av', 'office', 'pdf', 'browser', 'ocr', 'route'] as const
    await insertWorker(pool, { ...worker, id: images, host: 'images', lacks })
    await insertWorker(pool, { ...worker, id: silent, host: 'silent' })
    await pool.query(`update workers set heartbeat_at = now() - interval '1 minute' where id = $1`, [bytes(silent)])
    const person = await newPerson(api)
    const convert = async () => {
      const input = ((await person.call('POST', '/v1/process/import/upload', {})).body as { id: string }).id
      const wanted = { input, input_format: 'png', output_format: 'webp' }
      return ((await person.call('POST', '/v1/process/convert', wanted)).body as { id: string }).id
    }
    const [running, waiting] = [await convert(), await convert()]
    const reading = await convert()
    const ready = `update tasks set pending = 0, slot = true, needs = 'image' where id = any($1::bytea[])`
    await pool.query(ready, [[bytes(running), bytes(waiting), bytes(reading)]])
    const claim = `update tasks set status = 'processing', worker_id = $2, started_at = now() where id = $1`
    await pool.query(claim, [bytes(running), bytes(images)])
    await pool.query(claim, [bytes(reading), bytes(images)])
    await pool.query(`update tasks set engine_at = now() where id = $1`, [bytes(running)])
    await pool.query(`update tasks set engine_at = 'infinity' where id = $1`, [bytes(reading)])
    const { body } = await admin.browser.get<{
      workers: { host: string; serves: string[] }[]
      engines: { family: string }[]
      queues: object[]
    }>('/auth/admin/instance')
    expect(body.workers).toMatchObject([{ host: 'images', serves: ['image'], tasks: 2, engines: 4, busyEngines: 1 }])
    const engineOf = (name: string) => body.engines.find(({ family }) => family === name)
    expect(engineOf('image')).toMatchObject({ workers: 1, running: 2, waiting: 1 })
    expect(engineOf('office')).toEqual({ family: 'office', workers: 0, running: 0, waiting: 0, oldestMs: 0 })
    expect(body.queues).toMatchObject([{ pool: 'process', family: 'image', waiting: 1 }])
    await pool.query('delete from workers where id = any($1::bytea[])', [[bytes(images), bytes(silent)]])
  })

  it('has an announcement that everybody sees', async () => {
    const announce = (text: string | null) => admin.browser.change('POST', '/auth/admin/announcement', { text })
    expect((await announce(' Back at noon <b>. ')).status).toBe(204)
    const seen = async () => (await openBrowser(api.app).get<SessionView>('/auth/session')).body.announcement
    expect(await seen()).toBe('Back at noon <b>.')
    await announce('Later')
    expect(await seen()).toBe('Later')
    await announce(null)
    expect(await seen()).toBeUndefined()
  })
})
