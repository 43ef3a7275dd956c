import { type KeyScope, type Route, routes } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, invite, newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

type Actor = 'owner' | 'admin' | 'member' | 'removed' | 'stranger'

let api: TestApi
let people: Readonly<Record<Actor, Person>>
let teamId: string
/** Tokens for the team; the removed member and the stranger have tokens for themselves. */
let tokens: Readonly<Record<Actor, string>>
/** Resources of the team, by the parameter that names them. */
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
  const names = ['owner', 'admin', 'member', 'removed', 'stranger'] as const
  const made = await Promise.all(names.map(async (name) => [name, await newPerson(api, name)] as const))
  people = Object.fromEntries(made) as typeof people
  const { owner, admin, member, removed } = people
  teamId = await newTeam(owner, { admin, member })
  const link = await invite(owner, teamId)
  await removed.browser.change('POST', '/auth/invitations/accept', { link })
  await removed.browser.change('DELETE', `/auth/teams/${teamId}/members/${removed.userId}`)
  // No session has the team as its active owner: a token acts for the owner it was created for.
  for (const [, { browser, userId }] of made) await browser.change('POST', '/auth/owner', { ownerId: userId })
  const isIn = (name: string) => ['owner', 'admin', 'member'].includes(name)
  const issued = made.map(
    async ([name, { browser }]) => [name, await browser.token(isIn(name) ? { ownerId: teamId } : {})] as const,
  )
  tokens = Object.fromEntries(await Promise.all(issued)) as typeof tokens
  ids = await createThings(tokens.owner)
})
afterAll(() => api[Symbol.asyncDispose]())

async function createThings(token: string): Promise<Record<string, string>> {
  const create = async (url: string, payload: object) =>
    ((await ask(api, token, 'POST', url, payload)).body as { id: string }).id
  const jobId = await create('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
  const webhookId = await create('/v1/webhooks', { url: 'https://hooks.example.com/', enabled: false })
  return {
    ...{ jobId, webhookId },
    taskId: await create('/v1/process/import/upload', {}),
    file: '0',
    tokenId: await create(`/v1/process/jobs/${jobId}/tokens`, {}),
    deliveryId: await create(`/v1/webhooks/${webhookId}/ping`, {}),
    keyId: await create('/v1/account/keys', { name: 'ci' }),
    presetId: await create('/v1/presets', { name: 'p', operation: 'convert', output_format: 'webp' }),
  }
}

const protectedRoutes = Object.values<Route>(routes).filter(({ scope }) => scope !== 'public')
const withIds = protectedRoutes.filter(({ path }) => path.includes('{'))
const isStream = ({ operationId }: Route) => operationId.endsWith('Events')

/** Fills in ids of the team; an unknown parameter fails the test. */
function concrete(path: string, given: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = given[name]
    if (id === undefined) throw new Error(`no value for ${name} of ${path}`)
    return id
  })
}

const usersScopes: readonly KeyScope[] = ['task.read', 'task.write', 'account.read']

describe.each(protectedRoutes)('$method $path', (route) => {
  const nobodys = () => Object.fromEntries(Object.keys(ids).map((name) => [name, 'ab'.repeat(12)]))

  it.each(['owner', 'admin', 'member'] as const)('is allowed for the role %s according to its scope', async (role) => {
    // These ids do not exist, so nothing is changed; HEAD, because event streams of open tasks do not end.
    const method = isStream(route) ? 'HEAD' : route.method
    const { status } = await ask(api, tokens[role], method, concrete(route.path, nobodys()))
    const mayPass = role !== 'member' || (usersScopes as readonly string[]).includes(route.scope)
    if (mayPass) expect([200, 201, 400, 404]).toContain(status)
    else expect(status).toBe(403)
  })
})

describe.each(withIds)('$method $path of a team', (route) => {
  it.each(['removed', 'stranger'] as const)('is not found by somebody who is %s', async (actor) => {
    expect((await ask(api, tokens[actor], route.method, concrete(route.path, ids))).status).toBe(404)
  })

  it('is not found by a member who acts for themselves', async () => {
    const own = await people.admin.browser.token({ ownerId: people.admin.userId })
    expect((await ask(api, own, route.method, concrete(route.path, ids))).status).toBe(404)
  })
})

it('members share what the team has', async () => {
  for (const role of ['owner', 'admin', 'member'] as const) {
    for (const path of [
      `/v1/process/tasks/${ids.taskId}`,
      `/v1/process/jobs/${ids.jobId}`,
      `/v1/presets/${ids.presetId}`,
    ]) {
      expect((await ask(api, tokens[role], 'GET', path)).status).toBe(200)
    }
  }
})

/** What each role may do to a team under /auth, as the expected status. */
const table: readonly [string, object, Readonly<Record<Actor, number>>][] = [
  ['GET /members', {}, { owner: 200, admin: 200, member: 200, removed: 404, stranger: 404 }],
  ['GET /invitations', {}, { owner: 200, admin: 200, member: 403, removed: 404, stranger: 404 }],
  ['POST /invitations', { role: 'member' }, { owner: 201, admin: 201, member: 403, removed: 404, stranger: 404 }],
  ['POST /invitations', { role: 'owner' }, { owner: 201, admin: 403, member: 403, removed: 404, stranger: 404 }],
  ['DELETE /invitations/none', {}, { owner: 404, admin: 404, member: 403, removed: 404, stranger: 404 }],
  ['PATCH ', { name: 'Turners' }, { owner: 204, admin: 204, member: 403, removed: 404, stranger: 404 }],
  ['PATCH /members/owner', { role: 'admin' }, { owner: 400, admin: 403, member: 403, removed: 404, stranger: 404 }],
  ['PATCH /members/member', { role: 'owner' }, { owner: 200, admin: 403, member: 403, removed: 404, stranger: 404 }],
  ['PATCH /members/member', { role: 'member' }, { owner: 200, admin: 200, member: 403, removed: 404, stranger: 404 }],
  ['DELETE /members/owner', {}, { owner: 400, admin: 403, member: 403, removed: 404, stranger: 404 }],
  // The task from above is still open, so the owner is allowed but must wait.
  ['DELETE ', {}, { owner: 400, admin: 403, member: 403, removed: 404, stranger: 404 }],
]

it.each(['owner', 'admin', 'member', 'removed', 'stranger'] as const)(
  'the role %s does not let anyone change or delete a team as administrators do',
  async (actor) => {
    const { browser } = people[actor]
    const url = `/auth/admin/accounts/${teamId}`
    expect((await browser.change('PATCH', url, { plan: { slots: 9 } })).status).toBe(403)
    expect((await browser.change('DELETE', url)).status).toBe(403)
    expect((await people.owner.browser.get(`/auth/teams/${teamId}/members`)).status).toBe(200)
  },
)

describe.each(table)('%s %j of a team', (change, payload, expected) => {
  it.each(Object.entries(expected))('answers %s with %i', async (actor, status) => {
    const [method = 'GET', path = ''] = change.split(' ')
    const place = path.replace(/(owner|member)$/, (name) => people[name as Actor].userId)
    const url = `/auth/teams/${teamId}${place.replace('none', 'ab'.repeat(12))}`
    const { browser } = people[actor as Actor]
    const answer = await (method === 'GET' ? browser.get(url) : browser.change(method as 'POST', url, payload))
    expect(answer.status).toBe(status)
    // Restore the roles for the next row.
    const member = `/auth/teams/${teamId}/members/${people.member.userId}`
    if (change === 'PATCH /members/member') await people.owner.browser.change('PATCH', member, { role: 'member' })
  })

  it('answers 401 without sign-in', async () => {
    const [method = 'GET', path = ''] = change.split(' ')
    const url = `/auth/teams/${teamId}${path.replace(/(owner|member|none)$/, 'ab'.repeat(12))}`
    const headers = { origin: 'https://lathe.test', 'sec-fetch-site': 'same-origin' }
    const sent = method === 'GET' ? {} : { payload }
    expect((await api.app.inject({ method: method as 'GET', url, headers, ...sent })).statusCode).toBe(401)
  })
})
