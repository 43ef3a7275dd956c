import type { ApiKeyWithText, AuditPage } from '@lathe/contract'
import { scopes } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/browser.ts'
import { newPerson, newTeam } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts' } })
})
afterAll(() => api[Symbol.asyncDispose]())

const password = 'seven green bottles'

async function newOwner() {
  const { headers, userId, keyId } = await api.createKey(scopes)
  async function call<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
    const answer = await api.app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: (answer.body && answer.json()) as T }
  }
  const log = async (query = '') => (await call<AuditPage>('GET', `/v1/audit${query}`)).body.docs
  return { userId, keyId, call, log }
}

describe('the audit log', () => {
  it('records who created, changed and revoked keys and webhooks, with which key and from where [D-auth-14]', async () => {
    const { call, log, userId, keyId } = await newOwner()
    const { body: key } = await call<ApiKeyWithText>('POST', '/v1/account/keys', { name: 'ci' })
    await call('PATCH', `/v1/account/keys/${key.id}`, { name: 'build' })
    await call('PATCH', `/v1/account/keys/${key.id}`, { allowedIps: ['192.0.2.0/24'] })
    await call('DELETE', `/v1/account/keys/${key.id}`)
    const url = 'https://hooks.example.com/secret-path'
    const { body: webhook } = await call<{ id: string }>('POST', '/v1/webhooks', { url })
    await call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
    await call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`)
    await call('DELETE', `/v1/webhooks/${webhook.id}`)
    const entries = await log()
    expect(entries.map(({ action }) => action)).toEqual([
      ...['webhook.deleted', 'webhook.secret_changed', 'webhook.changed', 'webhook.created'],
      ...['key.revoked', 'key.changed', 'key.changed', 'key.created'],
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({ userId, via: 'key', viaId: keyId, address: '127.0.0.1' })
      expect(entry.subjectId).toBe(entry.action.startsWith('key') ? key.id : webhook.id)
    }
    expect(entries.slice(-3).map(({ detail }) => detail)).toMatchObject([
      { allowedIps: ['192.0.2.0/24'] },
      { name: 'build' },
      { name: 'ci' },
    ])
    expect(JSON.stringify(entries)).not.toContain('secret-path')
    expect(JSON.stringify(entries)).not.toContain(key.key?.slice(6))
  })

  it('records no refused request, and a repeated one once', async () => {
    const { call, log } = await newOwner()
    expect((await call('DELETE', `/v1/account/keys/${'f'.repeat(24)}`)).status).toBe(404)
    expect((await call('DELETE', `/v1/webhooks/${'f'.repeat(24)}`)).status).toBe(404)
    expect((await call('POST', '/v1/account/keys', { name: '' })).status).toBe(400)
    expect(await log()).toEqual([])
  })

  it('prevents a change that it cannot record [D-auth-14]', async () => {
    await using broken = await startApi({
      replace: () => ({
        audit: async () => {
          throw new Error('no log')
        },
      }),
    })
    const { headers, keyId } = await broken.createKey(scopes)
    const payload = { name: 'unseen' }
    const made = await broken.app.inject({ method: 'POST', url: '/v1/account/keys', headers, payload })
    expect(made.statusCode).toBe(500)
    const change = { name: 'changed', allowedIps: ['192.0.2.1'] }
    const path = `/v1/account/keys/${keyId}`
    const changed = await broken.app.inject({ method: 'PATCH', url: path, headers, payload: change })
    expect(changed.statusCode).toBe(500)
    const listed = await broken.app.inject({ url: '/v1/account/keys', headers })
    expect(listed.json().keys).toMatchObject([{ name: 'test', allowedIps: null }])
  })

  it('is searched by action, user and time, and read in pages [D-auth-14]', async () => {
    const { call, log, userId } = await newOwner()
    for (const name of ['a', 'b', 'c']) await call('POST', '/v1/account/keys', { name })
    const names = async (query: string) => (await log(query)).map(({ detail }) => detail.name)
    expect(await names('?action=key.created')).toEqual(['c', 'b', 'a'])
    expect(await names('?action=key.revoked')).toEqual([])
    expect(await names(`?user=${userId}&per_page=2`)).toEqual(['c', 'b'])
    expect(await names('?per_page=2&page=2')).toEqual(['a'])
    expect(await names(`?user=${'f'.repeat(24)}`)).toEqual([])
    expect(await names('?to=2020-01-01')).toEqual([])
    expect(await names('?from=2020-01-01')).toHaveLength(3)
    const [, middle] = await log()
    expect(await names(`?after=${middle?.id}`)).toEqual(['a'])
    expect((await call('GET', '/v1/audit?from=yesterday')).status).toBe(400)
  })

  it('of others is not shown, nor any to a key without account.write [D-auth-14]', async () => {
    const [mine, other] = [await newOwner(), await newOwner()]
    await other.call('POST', '/v1/account/keys', { name: 'theirs' })
    expect(await mine.log()).toEqual([])
    const { headers } = await api.createKey(['account.read'])
    expect((await api.app.inject({ url: '/v1/audit', headers })).statusCode).toBe(403)
  })

  it('has the names of users, teams and keys, and the email addresses of members alone', async () => {
    const [owner, member, admin] = [
      await newPerson(api, 'Owner'),
      await newPerson(api, 'Member'),
      await newPerson(api, 'Admin', { isAdmin: true }),
    ]
    const teamId = await newTeam(owner, { member })
    const { body: key } = await owner.call('POST', '/v1/account/keys', { name: 'ci' }, teamId)
    await admin.browser.change('PATCH', `/auth/admin/accounts/${teamId}`, { plan: { slots: 2 } })
    const read = async () => (await owner.call('GET', '/v1/audit', undefined, teamId)).body as AuditPage
    const page = await read()
    const byName = Object.fromEntries(page.names.map(({ name, ...rest }) => [name.split(' ')[0], rest]))
    expect(byName).toEqual({
      Owner: { id: owner.userId, kind: 'person', email: owner.email },
      Member: { id: member.userId, kind: 'person', email: member.email },
      Admin: { id: admin.userId, kind: 'person', email: null },
      Turners: { id: teamId, kind: 'team', email: null },
      ci: { id: (key as ApiKeyWithText).id, kind: 'key', email: null },
    })
    await owner.browser.change('DELETE', `/auth/teams/${teamId}/members/${member.userId}`, {})
    expect((await read()).names.find(({ id }) => id === member.userId)).toMatchObject({ email: null })
    // A page has the names of its own entries only.
    const { body: first } = await owner.call('GET', '/v1/audit?action=plan.changed', undefined, teamId)
    expect((first as AuditPage).names.map(({ id }) => id).sort()).toEqual([admin.userId, teamId].sort())
  })

  it('records sign-ins, sessions and changes of passwords [D-auth-14]', async () => {
    const email = 'audited@x.example'
    const { auth, database } = api.services
    await database.transaction(async (tx) => auth?.logins.create(tx, { name: 'x', email, password, isAdmin: false }))
    const [browser, other] = [openBrowser(api.app, '192.0.2.9'), openBrowser(api.app, '192.0.2.10')]
    await other.change('POST', '/auth/sign-in', { email, password })
    await browser.change('POST', '/auth/sign-in', { email, password: 'wrong' })
    await browser.change('POST', '/auth/sign-in', { email, password })
    const { body } = await browser.get<{ data: { id: string; current: boolean }[] }>('/auth/sessions')
    const gone = body.data.find(({ current }) => !current)?.id
    await browser.change('DELETE', `/auth/sessions/${gone}`)
    await browser.change('POST', '/auth/password', { current: password, password: 'eight brown bottles' })
    const headers = { authorization: `Bearer ${await browser.token()}` }
    const read = async () => (await api.app.inject({ url: '/v1/audit', headers })).json<AuditPage>().docs
    const entries = await read()
    expect(entries.map(({ action, address }) => [action, address])).toEqual([
      ['password.changed', '192.0.2.9'],
      ['session.ended', '192.0.2.9'],
      ['session.opened', '192.0.2.9'],
      ['session.opened', '192.0.2.10'],
    ])
    expect(entries.every(({ via }) => via === 'session')).toBe(true)
    expect(entries[1]).toMatchObject({ subjectId: gone })
    expect(entries[2]).toMatchObject({ detail: { by: 'password' } })
  })
})
