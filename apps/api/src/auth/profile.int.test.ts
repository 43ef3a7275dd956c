import type { AuditPage, ErrorBody } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { findFreePort, startMailServer, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { newPerson, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

const password = 'seven green bottles'
let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { ACCOUNTS_MODE: 'accounts', SIGN_INS_PER_ADDRESS: '1000', SIGN_INS_PER_ACCOUNT: '4' } })
})
afterAll(() => api[Symbol.asyncDispose]())

let people = 0

async function newLogin(): Promise<{ readonly email: string; readonly browser: Browser }> {
  people += 1
  const email = `login-${people}@x.example`
  const { auth, database } = api.services
  await database.transaction(async (tx) => auth?.logins.create(tx, { name: 'Ada', email, password, isAdmin: false }))
  const browser = openBrowser(api.app, `192.0.2.${people}`)
  await browser.change('POST', '/auth/sign-in', { email, password })
  return { email, browser }
}

const change = ({ browser }: Pick<Person, 'browser'>, body: object) =>
  browser.change<SessionView & ErrorBody>('PATCH', '/auth/account', body)
const view = async ({ browser }: Pick<Person, 'browser'>) => (await browser.get<SessionView>('/auth/session')).body.user

describe('the own profile', () => {
  it('has a name that changes without a password, with one entry in the audit log', async () => {
    const person = await newPerson(api)
    const { name: from } = (await view(person)) ?? {}
    expect((await change(person, { name: '  Grace <b> ' })).body.user).toMatchObject({ name: 'Grace <b>' })
    expect((await change(person, { name: 'Grace <b>' })).status).toBe(200)
    expect((await view(person))?.name).toBe('Grace <b>')
    const { docs } = (await person.call('GET', '/v1/audit?action=account.changed')).body as AuditPage
    expect(docs).toMatchObject([
      { userId: person.userId, subjectId: person.userId, via: 'session', detail: { from, name: 'Grace <b>' } },
    ])
    for (const name of ['   ', 'x'.repeat(101)]) {
      expect(await change(person, { name })).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } })
    }
  })

  it('has an email address that changes with the password alone, and signs in from then on', async () => {
    const person = await newLogin()
    for (const current of [{}, { current: 'eight green bottles' }]) {
      const refused = await change(person, { email: 'new@x.example', ...current })
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'current' }] } })
    }
    expect((await change(person, { email: ' New@x.Example', current: password })).status).toBe(400)
    expect((await change(person, { email: 'New@x.Example', current: password })).body.user?.email).toBe('new@x.example')
    const signIn = async (email: string) =>
      (await openBrowser(api.app, '192.0.2.200').change('POST', '/auth/sign-in', { email, password })).status
    expect([await signIn(person.email), await signIn('new@x.example')]).toEqual([401, 200])
    const headers = { authorization: `Bearer ${await person.browser.token()}` }
    const { docs } = (await api.app.inject({ url: '/v1/audit?action=account.changed', headers })).json<AuditPage>()
    expect(docs.map(({ detail }) => detail)).toEqual([{ from: person.email, email: 'new@x.example' }])
  })

  it('rejects an address of another account, in any case, even in simultaneous requests', async () => {
    const [first, second] = [await newLogin(), await newLogin()]
    const taken = await change(first, { name: 'Eve', email: second.email.toUpperCase(), current: password })
    expect(taken).toMatchObject({ status: 400, body: { errors: [{ path: 'email', code: 'conflict' }] } })
    // Neither the name nor an entry of the log is left of what was refused.
    expect(await view(first)).toMatchObject({ name: 'Ada', email: first.email })
    const wanted = { email: 'wanted@x.example', current: password }
    const answers = await Promise.all([change(first, wanted), change(second, wanted)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('limits attempts to find out which addresses are taken', async () => {
    const [person, other] = [await newLogin(), await newLogin()]
    const ask = async () => (await change(person, { email: other.email, current: password })).status
    expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([400, 400, 400, 400, 429])
  })

  it('requires a session of the last ten minutes from a person without a password', async () => {
    const person = await newPerson(api)
    expect((await change(person, { email: 'fresh@x.example' })).body.user?.email).toBe('fresh@x.example')
    const age = `update sessions set created_at = now() - interval '11 minutes' where user_id = $1`
    await api.services.database.pool.query(age, [bytes(person.userId)])
    expect((await change(person, { email: 'late@x.example' })).status).toBe(403)
    expect((await change(person, { name: 'Late' })).status).toBe(200)
  })

  it('notifies the previous address of a change, by mail in plain text', async () => {
    await using server = await startMailServer()
    const env = { ACCOUNTS_MODE: 'accounts', SMTP_URL: server.url, MAIL_FROM: 'Lathe <lathe@x.example>' }
    await using mailing = await startApi({ env })
    const person = await newPerson(mailing, 'Eve\r\nBcc: all@x.example')
    const { email: before = '' } = (await view(person)) ?? {}
    expect((await change(person, { name: 'Eve\r\n\r\nBcc: b@x.example', email: 'after@x.example' })).status).toBe(200)
    await waitFor(() => server.mails.length > 0, { withinMs: 10_000, what: 'the mail' })
    const [mail] = server.mails
    expect(mail?.to).toEqual([before])
    expect(mail?.source.replaceAll('=\r\n', '')).toContain('now has the email address after@x.example')
    expect(mail?.source).not.toMatch(/^Bcc:/im)
    expect((await change(person, { name: 'Mallory' })).status).toBe(200)
    expect(server.mails).toHaveLength(1)
  })

  it('keeps its address where addresses link accounts to an identity provider', async () => {
    const issuer = `http://127.0.0.1:${await findFreePort()}`
    const env = { ACCOUNTS_MODE: 'accounts', OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'lathe', OIDC_LINK_BY_EMAIL: '1' }
    await using linked = await startApi({ env })
    const person = await newPerson(linked)
    expect((await view(person))?.mayChangeEmail).toBe(false)
    expect((await change(person, { email: 'boss@x.example' })).status).toBe(403)
    expect((await change(person, { name: 'Boss' })).status).toBe(200)
  })
})
