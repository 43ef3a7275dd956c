import type { ErrorBody } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../testing/browser.ts'
import { ask, join, newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ADDRESS: '1000' } })
})
afterAll(() => api[Symbol.asyncDispose]())

const remove = ({ browser }: Pick<Person, 'browser'>, body: object = {}) =>
  browser.change<ErrorBody>('DELETE', '/auth/account', body)

async function countRows(sql: string, id: string): Promise<number> {
  const { rows } = await api.services.database.pool.query(`select count(*)::int as count from ${sql}`, [bytes(id)])
  return rows[0].count
}

async function rowsOf(id: string): Promise<Record<string, number>> {
  const byOwner = ['api_keys', 'webhooks', 'presets', 'job_tokens', 'usage'].map(
    (table) => [table, 'owner_id'] as const,
  )
  const byUser = ['users', 'logins', 'sessions', 'memberships', 'totp'].map((table) => {
    return [table, table === 'users' ? 'id' : 'user_id'] as const
  })
  const counted = [...byOwner, ...byUser].map(
    async ([table, column]) => [table, await countRows(`${table} where ${column} = $1`, id)] as const,
  )
  return Object.fromEntries(await Promise.all(counted))
}

describe('deleting the own account', () => {
  it('ends everything that acts for the person at once, and is recorded in the audit log [D-auth-16]', async () => {
    const person = await newPerson(api)
    const create = async (url: string, body: object) => (await person.call('POST', url, body)).body as { id: string }
    const job = await create('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    const token = (await create(`/v1/process/jobs/${job.id}/tokens`, {})) as unknown as { token: string }
    const key = (await create('/v1/account/keys', { name: 'ci' })) as unknown as { key: string }
    await create('/v1/webhooks', { url: 'https://hooks.example.com/', enabled: false })
    await create('/v1/presets', { name: 'p', operation: 'convert', output_format: 'webp' })
    const bearer = await person.browser.token()

    const done = await remove(person)
    expect(done.status).toBe(204)
    expect(person.browser.cookie).toBeUndefined()
    expect(Object.values(await rowsOf(person.userId)).every((count) => count === 0)).toBe(true)
    const seen = (secret: string, path: string) => ask(api, secret, 'GET', path)
    const refused = async (secret: string, path: string) => (await seen(secret, path)).status === 401
    const limit = { withinMs: 6_000, what: 'the end of a token' }
    await waitFor(() => refused(bearer, '/v1/account'), limit)
    await waitFor(() => refused(key.key, '/v1/account'), limit)
    await waitFor(() => refused(token.token, `/v1/process/jobs/${job.id}`), limit)
    const { rows } = await api.services.database.pool.query(
      `select action, via, subject_id = $1 as own from audit_log where owner_id = $1 order by id desc limit 1`,
      [bytes(person.userId)],
    )
    expect(rows).toEqual([{ action: 'account.deleted', via: 'session', own: true }])
  })

  it('leaves no team without an owner: it is refused, naming the teams, and changes nothing [D-auth-16]', async () => {
    const [owner, member] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { member })
    const refused = await remove(owner)
    expect(refused).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('Turners'), errors: [{ path: `teams.${teamId}`, code: 'conflict' }] },
    })
    expect((await owner.browser.get<SessionView>('/auth/session')).body.signedIn).toBe(true)
    await owner.browser.change('PATCH', `/auth/teams/${teamId}/members/${member.userId}`, { role: 'owner' })
    expect((await remove(owner)).status).toBe(204)
    const members = await member.browser.get<{ data: { id: string }[] }>(`/auth/teams/${teamId}/members`)
    expect(members.body.data.map(({ id }) => id)).toEqual([member.userId])
    const log = await member.call('GET', '/v1/audit?action=member.removed', undefined, teamId)
    expect(log.body).toMatchObject({ docs: [{ subjectId: owner.userId, detail: { left: true, role: 'owner' } }] })
  })

  it('of both owners of a team at the same moment leaves one of them [D-auth-16]', async () => {
    const people = [await newPerson(api), await newPerson(api)] as const
    const teamId = await newTeam(people[0])
    await join(people[0], people[1], teamId, 'owner')
    const answers = await Promise.all(people.map((person) => remove(person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    expect(await countRows(`memberships where owner_id = $1 and role = 'owner'`, teamId)).toBe(1)
  })

  it('revokes keys and invitations that the person created for teams, keeps shared presets and deletes personal ones', async () => {
    const [owner, admin] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { admin })
    const create = (url: string, body: object) => admin.call('POST', url, body, teamId)
    await create('/v1/account/keys', { name: 'ci' })
    await create('/v1/presets', { name: 'shared', operation: 'convert', output_format: 'webp' })
    await create('/v1/presets', { name: 'own', operation: 'convert', output_format: 'webp', personal: true })
    await admin.browser.change('POST', `/auth/teams/${teamId}/invitations`, { role: 'member' })
    expect((await remove(admin)).status).toBe(204)
    expect(await countRows('api_keys where owner_id = $1 and revoked_at is null', teamId)).toBe(0)
    expect(await countRows('invitations where owner_id = $1', teamId)).toBe(0)
    const { rows } = await api.services.database.pool.query('select name from presets where owner_id = $1', [
      bytes(teamId),
    ])
    expect(rows).toEqual([{ name: 'shared' }])
  })

  it('requires the password of a person who has one', async () => {
    const [email, password] = ['has-password@x.example', 'seven green bottles']
    const { auth, database } = api.services
    const person = { name: 'x', email, password, isAdmin: false }
    await database.transaction(async (tx) => auth?.logins.create(tx, person))
    const browser = openBrowser(api.app, '192.0.2.77')
    await browser.change('POST', '/auth/sign-in', { email, password })
    for (const body of [{}, { current: 'eight green bottles' }]) {
      expect(await remove({ browser }, body)).toMatchObject({ status: 400, body: { errors: [{ path: 'current' }] } })
    }
    expect((await remove({ browser }, { current: password })).status).toBe(204)
    expect((await browser.change('POST', '/auth/sign-in', { email, password })).status).toBe(401)
    // The email address can be used again.
    await database.transaction(async (tx) => auth?.logins.create(tx, person))
    expect((await browser.change('POST', '/auth/sign-in', { email, password })).status).toBe(200)
  })

  it('requires a session of the last ten minutes from a person without a password', async () => {
    const person = await newPerson(api)
    const age = `update sessions set created_at = now() - interval '11 minutes' where user_id = $1`
    await api.services.database.pool.query(age, [bytes(person.userId)])
    expect((await remove(person)).status).toBe(403)
    expect((await person.browser.get<SessionView>('/auth/session')).body.user?.hasPassword).toBe(false)
  })

  it('is refused to the last administrator [D-auth-16]', async () => {
    const [first, second] = [await newPerson(api, 'a', { isAdmin: true }), await newPerson(api, 'b', { isAdmin: true })]
    expect((await remove(first)).status).toBe(204)
    expect((await remove(second)).status).toBe(403)
    expect((await second.browser.get<SessionView>('/auth/session')).body.user?.isAdmin).toBe(true)
  })
})
