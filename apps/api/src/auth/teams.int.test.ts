import type { ErrorBody } from '@lathe/contract'
import { bytes, deleteClosedTeams } from '@lathe/database'
import { readEvents, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, invite, join, newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({
    env: { ACCOUNTS_MODE: 'accounts', ACCOUNT_TEAMS: '3', ACCOUNT_SLOTS: '7', INVITED_ACCOUNTS: 'everybody' },
  })
})
afterAll(() => api[Symbol.asyncDispose]())

const rolesOf = async (person: Person, teamId: string) =>
  (await person.browser.get<{ data: { id: string; role: string }[] }>(`/auth/teams/${teamId}/members`)).body.data.map(
    ({ role }) => role,
  )

async function newKey(person: Person, teamId: string): Promise<string> {
  const { body } = await person.call('POST', '/v1/account/keys', { name: 'ci' }, teamId)
  return (body as { key: string }).key
}

const isAlive = async (token: string) => (await ask(api, token, 'GET', '/v1/account')).status === 200

describe('a team', () => {
  it('is an owner of its own, and its tokens act for it whatever a request says', async () => {
    const person = await newPerson(api)
    const teamId = await newTeam(person)
    const shown = await person.browser.get<SessionView>('/auth/session')
    expect(shown.body.owners).toMatchObject([
      { id: person.userId, kind: 'person' },
      { id: teamId, name: 'Turners', kind: 'team', role: 'owner' },
    ])
    const { body } = await person.call('GET', '/v1/account', undefined, teamId)
    expect(body).toMatchObject({ id: teamId, name: 'Turners', plan: { slots: 7 } })
    const made = await person.call('POST', '/v1/process/import/upload', {}, teamId)
    const { id } = made.body as { id: string }
    expect((await person.call('GET', `/v1/process/tasks/${id}`, undefined, teamId)).status).toBe(200)
    expect((await person.call('GET', `/v1/process/tasks/${id}`)).status).toBe(404)
    const named = await person.call('POST', '/v1/process/import/upload', { ownerId: person.userId }, teamId)
    expect(named.status).toBe(400)
  })

  it('stays the one that a session acts for, until its user is removed', async () => {
    const [owner, member] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner)
    const { browser } = owner
    const switched = await browser.change<SessionView>('POST', '/auth/owner', { ownerId: teamId })
    expect(switched.body.owner).toMatchObject({ id: teamId, kind: 'team' })
    expect((await browser.get<SessionView>('/auth/session')).body.owner?.id).toBe(teamId)
    expect((await owner.call('GET', '/v1/account')).body).toMatchObject({ id: teamId })
    await browser.change('POST', '/auth/owner', { ownerId: owner.userId })
    expect((await owner.call('GET', '/v1/account')).body).toMatchObject({ id: owner.userId })
    expect((await member.browser.change('POST', '/auth/owner', { ownerId: teamId })).status).toBe(403)
    await join(owner, member, teamId, 'member')
    expect((await member.call('GET', '/v1/account')).body).toMatchObject({ id: teamId })
    await browser.change('DELETE', `/auth/teams/${teamId}/members/${member.userId}`)
    expect((await member.call('GET', '/v1/account')).body).toMatchObject({ id: member.userId })
    expect((await member.browser.get<SessionView>('/auth/session')).body.owner?.id).toBe(member.userId)
  })

  it('counts toward the number that a person may own, also if created at the same time', async () => {
    const person = await newPerson(api)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => person.browser.change('POST', '/auth/teams', { name: 'x' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403])
  })

  it('is renamed by admins, and found in the list of each member', async () => {
    const [owner, admin] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { admin })
    const renamed = await admin.browser.change('PATCH', `/auth/teams/${teamId}`, { name: '  Millers ' })
    expect(renamed.status).toBe(204)
    expect((await owner.browser.get<{ data: unknown[] }>('/auth/teams')).body.data).toMatchObject([
      { id: teamId, name: 'Millers', role: 'owner', members: 2 },
    ])
    const empty = await admin.browser.change<ErrorBody>('PATCH', `/auth/teams/${teamId}`, { name: ' ' })
    expect(empty).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } })
  })

  it('is deleted when no task of it is open, with its keys, and its row goes later', async () => {
    const [owner, member] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { member })
    const key = await newKey(owner, teamId)
    const { body } = await owner.call('POST', '/v1/process/import/upload', {}, teamId)
    const remove = () => owner.browser.change<ErrorBody>('DELETE', `/auth/teams/${teamId}`)
    expect((await remove()).status).toBe(400)
    await owner.call('POST', `/v1/process/tasks/${(body as { id: string }).id}/cancel`, {}, teamId)
    expect((await remove()).status).toBe(204)
    expect((await member.browser.get<SessionView>('/auth/session')).body.owners).toHaveLength(1)
    await waitFor(async () => !(await isAlive(key)), { withinMs: 5000, what: 'the end of the key' })
    const db = api.services.database.pool
    expect(await deleteClosedTeams(db, { closedS: 3600, limit: 10 })).toBe(0)
    expect(await deleteClosedTeams(db, { closedS: 0, limit: 10 })).toBe(1)
    const { rowCount } = await db.query('select from owners where id = $1', [bytes(teamId)])
    expect(rowCount).toBe(0)
  })
})

describe('the last owner', () => {
  it('can neither leave nor get a lower role', async () => {
    const [owner, admin] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { admin })
    const path = `/auth/teams/${teamId}/members/${owner.userId}`
    expect((await owner.browser.change<ErrorBody>('DELETE', path)).body.errors).toMatchObject([{ code: 'conflict' }])
    const less = await owner.browser.change<ErrorBody>('PATCH', path, { role: 'admin' })
    expect(less.body.errors).toMatchObject([{ path: 'role', code: 'conflict' }])
    await owner.browser.change('PATCH', `/auth/teams/${teamId}/members/${admin.userId}`, { role: 'owner' })
    expect((await owner.browser.change('DELETE', path)).status).toBe(200)
    expect(await rolesOf(admin, teamId)).toEqual(['owner'])
  })

  it.each(['leave', 'demote themselves', 'demote each other'])('remains after two owners %s at once', async (how) => {
    for (let round = 0; round < 6; round++) {
      const [a, b, witness] = [await newPerson(api), await newPerson(api), await newPerson(api)]
      const teamId = await newTeam(a, { member: witness })
      await join(a, b, teamId, 'owner')
      const step = (actor: Person, target: Person) => {
        const path = `/auth/teams/${teamId}/members/${target.userId}`
        if (how === 'leave') return actor.browser.change('DELETE', path)
        return actor.browser.change('PATCH', path, { role: 'member' })
      }
      const isMutual = how === 'demote each other'
      const answers = await Promise.all([step(a, isMutual ? b : a), step(b, isMutual ? a : b)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((await rolesOf(witness, teamId)).filter((role) => role === 'owner')).toHaveLength(1)
    }
  })
})

describe('an invitation', () => {
  it('is a link that works once, of which only a hash is stored', async () => {
    const [owner, first, second] = [await newPerson(api), await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner)
    const link = await invite(owner, teamId)
    const shown = await first.browser.change<object>('POST', '/auth/invitations/show', { link })
    expect(shown.body).toMatchObject({ team: 'Turners', role: 'member', email: null })
    const { rows } = await api.services.database.pool.query<{ hash: string }>(
      'select hash, i::text as all from invitations i',
    )
    expect(JSON.stringify(rows)).not.toContain(link)
    const accept = (person: Person) => person.browser.change('POST', '/auth/invitations/accept', { link })
    const answers = await Promise.all([accept(first), accept(second), accept(first), accept(second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect(await rolesOf(owner, teamId)).toEqual(['owner', 'member'])
    expect((await second.browser.change('POST', '/auth/invitations/show', { link })).status).toBe(404)
  })

  it('is accepted by creating an account', async () => {
    const owner = await newPerson(api)
    const teamId = await newTeam(owner)
    const link = await invite(owner, teamId, 'admin')
    const guest = await newPerson(api)
    await guest.browser.change('POST', '/auth/sign-out')
    expect((await guest.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(401)
    const person = { name: 'Grace', email: owner.email, password: 'nine blue bottles' }
    const guess = { link: 'x'.repeat(43), person }
    expect((await guest.browser.change('POST', '/auth/invitations/accept', guess)).status).toBe(404)
    const taken = await guest.browser.change<ErrorBody>('POST', '/auth/invitations/accept', { link, person })
    expect(taken).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } })
    const own = { ...person, email: `grace-${Date.now()}@x.example` }
    const made = await guest.browser.change<SessionView>('POST', '/auth/invitations/accept', { link, person: own })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ signedIn: true, user: { name: 'Grace' }, owner: { id: teamId, role: 'admin' } })
    expect(await rolesOf(owner, teamId)).toEqual(['owner', 'admin'])
  })

  it('ends when it is revoked or expires, or when its creator loses the right', async () => {
    const [owner, admin, guest] = [await newPerson(api), await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { admin })
    const path = `/auth/teams/${teamId}/invitations`
    const [revoked, old, orphaned] = [
      await invite(owner, teamId),
      await invite(owner, teamId),
      await invite(admin, teamId),
    ]
    const listed = await owner.browser.get<{ data: { id: string; expiresAt: string }[] }>(path)
    expect(listed.body.data).toHaveLength(3)
    const days = (Date.parse(listed.body.data[0]?.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    expect((await owner.browser.change('DELETE', `${path}/${listed.body.data[2]?.id}`)).status).toBe(204)
    const id = bytes(listed.body.data[1]?.id ?? '')
    await api.services.database.pool.query('update invitations set expires_at = now() where id = $1', [id])
    await owner.browser.change('PATCH', `/auth/teams/${teamId}/members/${admin.userId}`, { role: 'member' })
    for (const link of [revoked, old, orphaned]) {
      expect((await guest.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(404)
    }
    expect((await owner.browser.get<{ data: unknown[] }>(path)).body.data).toEqual([])
  })

  it('stays valid when a member of the team opens it', async () => {
    const [owner, guest] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner)
    const link = await invite(owner, teamId)
    expect((await owner.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(400)
    expect((await guest.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(200)
  })
})

describe('a member who leaves', () => {
  it('loses tokens, event streams, keys and links within 5 seconds', async () => {
    const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const [owner, admin] = [await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { admin })
    const key = await newKey(admin, teamId)
    const ownKey = await newKey(owner, teamId)
    const token = await admin.browser.token({ ownerId: teamId })
    expect([await isAlive(token), await isAlive(key), await isAlive(ownKey)]).toEqual([true, true, true])
    const { body } = await ask(api, token, 'POST', '/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    const url = `${base}/v1/process/jobs/${(body as { id: string }).id}/events`
    const events = await readEvents(url, { authorization: `Bearer ${token}` })
    expect(events.status).toBe(200)
    const start = performance.now()
    const removed = await owner.browser.change('DELETE', `/auth/teams/${teamId}/members/${admin.userId}`)
    expect(removed.body).toEqual({ id: admin.userId, revokedKeys: 1 })
    const isGone = async () => !(await isAlive(token)) && !(await isAlive(key))
    await Promise.all([events.ended, waitFor(isGone, { withinMs: 6000, everyMs: 100, what: 'the end of its access' })])
    expect(performance.now() - start).toBeLessThan(5500)
    expect(await isAlive(ownKey)).toBe(true)
    expect((await admin.browser.change('POST', '/auth/token', { ownerId: teamId })).status).toBe(403)
  })

  it('keeps keys in the team on request; an admin who becomes a member loses them', async () => {
    const [owner, kept, lesser] = [await newPerson(api), await newPerson(api), await newPerson(api)]
    const teamId = await newTeam(owner, { admin: kept })
    await join(owner, lesser, teamId, 'admin')
    const [keptKey, lostKey] = [await newKey(kept, teamId), await newKey(lesser, teamId)]
    const path = `/auth/teams/${teamId}/members`
    await owner.browser.change('DELETE', `${path}/${kept.userId}`, { keepKeys: true })
    const change = await owner.browser.change('PATCH', `${path}/${lesser.userId}`, { role: 'member' })
    expect(change.body).toMatchObject({ role: 'member', revokedKeys: 1 })
    expect([await isAlive(keptKey), await isAlive(lostKey)]).toEqual([true, false])
  })
})

it('every change of a team is in its audit log, with who did it', async () => {
  const [owner, admin] = [await newPerson(api), await newPerson(api)]
  const teamId = await newTeam(owner, { admin })
  const path = `/auth/teams/${teamId}`
  await admin.browser.change('PATCH', path, { name: 'Millers' })
  const { body } = await admin.browser.change<{ id: string }>('POST', `${path}/invitations`, { email: 'b@x.example' })
  await admin.browser.change('DELETE', `${path}/invitations/${body.id}`)
  await owner.browser.change('PATCH', `${path}/members/${admin.userId}`, { role: 'member' })
  await admin.browser.change('DELETE', `${path}/members/${admin.userId}`)
  const log = await owner.call('GET', '/v1/audit?per_page=50', undefined, teamId)
  const { docs } = log.body as { docs: { action: string; userId: string; subjectId: string; address: string }[] }
  expect(docs.map(({ action, userId }) => [action, userId === owner.userId ? 'owner' : 'admin'])).toEqual([
    ['member.removed', 'admin'],
    ['member.changed', 'owner'],
    ['invitation.revoked', 'admin'],
    ['invitation.created', 'admin'],
    ['team.changed', 'admin'],
    ['member.added', 'admin'],
    ['invitation.created', 'owner'],
    ['team.created', 'owner'],
  ])
  expect(docs[0]).toMatchObject({ subjectId: admin.userId, address: expect.stringMatching(/^2001:db8:/) })
})
