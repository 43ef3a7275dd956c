import { bytes } from '@lathe/database'
import { type IdentityProvider, type MailServer, startIdentityProvider, startMailServer } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser } from '../testing/browser.ts'
import { invite, newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import type { SessionView } from './show-session.ts'

const password = 'mallory knows this one'
let provider: IdentityProvider
let mail: MailServer
let linking: TestApi
let separate: TestApi
let people = 0

beforeAll(async () => {
  provider = await startIdentityProvider()
  provider.allow('https://lathe.test/auth/oidc/callback')
  mail = await startMailServer()
  linking = await openApi({ OIDC_LINK_BY_EMAIL: '1', OIDC_ADMIN_GROUPS: 'admins', INVITED_ACCOUNTS: 'everybody' })
  separate = await openApi({ INVITED_ACCOUNTS: 'everybody' })
})
afterAll(async () => {
  await linking[Symbol.asyncDispose]()
  await separate[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

function openApi(env: Record<string, string>): Promise<TestApi> {
  const { issuer, clientId, clientSecret } = provider
  const own = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret }
  const mails = { SMTP_URL: mail.url, MAIL_FROM: 'lathe@x.example' }
  return startApi({ env: { ACCOUNTS_MODE: 'accounts', ...own, ...mails, ...env } })
}

/** A user of the provider, who has not been here yet. */
function newKnown(claims: object = {}): { login: string; email: string } {
  people += 1
  const [login, email] = [`chief-${people}`, `chief-${people}@corp.example`]
  provider.people.set(login, { name: 'Chief', email, email_verified: true, groups: ['admins'], ...claims })
  return { login, email }
}

/** Signs in through the provider; returns the reason if it is refused. */
async function enter(browser: Browser, login: string): Promise<string | null> {
  const { body } = await browser.change<{ url: string }>('POST', '/auth/oidc/start', {})
  const back = new URL(await provider.signIn(body.url, login))
  const { headers } = await browser.get(back.pathname + back.search, { 'sec-fetch-site': 'cross-site' })
  return new URL(String(headers.location)).searchParams.get('trouble')
}

/** Creates an account with any address by an invitation that is passed on by hand. */
async function joinAs(api: TestApi, mallory: Person, email: string, link?: string): Promise<Browser> {
  const browser = openBrowser(api.app)
  const sent = { link: link ?? (await invite(mallory, await newTeam(mallory))), person: { name: 'x', email, password } }
  expect((await browser.change('POST', '/auth/invitations/accept', sent)).status).toBe(201)
  return browser
}

const userOf = async (browser: Browser) => (await browser.get<SessionView>('/auth/session')).body.user

describe('an account with an address that its creator has not proven', () => {
  it.each(['linking', 'separate'] as const)(
    'gives its creator nothing when the owner of the address signs in through the provider (%s)',
    async (mode) => {
      const api = { linking, separate }[mode]
      const mallory = await newPerson(api, 'Mallory')
      const { login, email } = newKnown()
      const squatter = await joinAs(api, mallory, email)
      const chief = openBrowser(api.app)
      expect(await enter(chief, login)).toBeNull()
      const user = await userOf(chief)
      expect(user).toMatchObject({ name: 'Chief', email, isAdmin: mode === 'linking', hasPassword: false })

      const again = openBrowser(api.app)
      expect((await again.change('POST', '/auth/sign-in', { email, password })).status).toBe(401)
      const left = await userOf(squatter)
      expect(left).toMatchObject({ isAdmin: false, email: expect.stringMatching(/@unproven\.invalid$/) })
      expect(left?.id).not.toBe(user?.id)
      expect((await squatter.get('/auth/admin/accounts')).status).toBe(403)
      const headers = { authorization: `Bearer ${await squatter.token({ ownerId: left?.id })}` }
      const log = await api.app.inject({ url: '/v1/audit', headers })
      expect(log.json().docs[0]).toMatchObject({
        ...{ action: 'account.changed', via: 'host', userId: null, address: null },
        detail: { from: email, email: left?.email, by: 'oidc' },
      })
      // The next sign-in finds the same account.
      const later = openBrowser(api.app)
      expect(await enter(later, login)).toBeNull()
      expect((await userOf(later))?.id).toBe(user?.id)
    },
  )

  it('does not have it proven by the link that its inviter sees, although a mail was sent', async () => {
    const mallory = await newPerson(linking, 'Mallory')
    const { login, email } = newKnown()
    const path = `/auth/teams/${await newTeam(mallory)}/invitations`
    const made = await mallory.browser.change<{ url: string; mail: string }>('POST', path, { email })
    expect(made.body.mail).toBe('sent')
    const squatter = await joinAs(linking, mallory, email, made.body.url.split('#')[1])
    const chief = openBrowser(linking.app)
    expect(await enter(chief, login)).toBeNull()
    expect((await userOf(chief))?.id).not.toBe((await userOf(squatter))?.id)
  })

  it('does not keep the address from its owner if a user has changed theirs to it', async () => {
    const mallory = await newPerson(separate, 'Mallory')
    const { login, email } = newKnown()
    expect((await mallory.browser.change('PATCH', '/auth/account', { email })).status).toBe(200)
    const chief = openBrowser(separate.app)
    expect(await enter(chief, login)).toBeNull()
    expect((await userOf(chief))?.id).not.toBe(mallory.userId)
  })

  it('keeps the address from people whose provider has not verified it, or has verified a similar one', async () => {
    const mallory = await newPerson(linking, 'Mallory')
    const { email } = newKnown()
    const first = await joinAs(linking, mallory, email)
    for (const claims of [{ email, email_verified: undefined }, { email: email.replace('c', 'ｃ') }]) {
      expect(await enter(openBrowser(linking.app), newKnown(claims).login)).toBe('email_taken')
    }
    expect((await userOf(first))?.email).toBe(email)
  })
})

describe('an account with a proven address', () => {
  it('is linked if the address was proven by a mailed link', async () => {
    const owner = await newPerson(linking, 'Owner')
    const { login, email } = newKnown()
    const path = `/auth/teams/${await newTeam(owner)}/invitations`
    await owner.browser.change('POST', path, { email: email.toUpperCase() })
    const last = mail.mails.at(-1)
    expect(last?.to).toEqual([email])
    const source = last?.source.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
    const link = /\/join#([\w-]{43})/.exec(source)?.[1]
    const own = await joinAs(linking, owner, email, link)
    const browser = openBrowser(linking.app)
    expect(await enter(browser, login)).toBeNull()
    expect((await userOf(browser))?.id).toBe((await userOf(own))?.id)
  })

  it('is neither linked nor displaced if nothing is known about the proof, or the address was changed since', async () => {
    const { pool } = linking.services.database
    const [old, changed] = [newKnown(), newKnown()]
    const [first, second] = [await newPerson(linking, 'Old', old), await newPerson(linking)]
    // As a release before the proofs leaves them.
    await pool.query('update logins set email_proof = null, proven_email = null where user_id = $1', [
      bytes(first.userId),
    ])
    await pool.query('update logins set email = $2 where user_id = $1', [bytes(second.userId), changed.email])
    for (const { login } of [old, changed]) {
      expect(await enter(openBrowser(linking.app), login)).toBe('email_taken')
    }
    expect((await userOf(first.browser))?.email).toBe(old.email)
  })
})

describe('an invitation', () => {
  it('with an address is for the account with this address alone', async () => {
    const [owner, other] = [await newPerson(separate), await newPerson(separate)]
    const friend = await newPerson(separate, 'Friend', { email: 'friend@x.example' })
    const path = `/auth/teams/${await newTeam(owner)}/invitations`
    const made = await owner.browser.change<{ url: string }>('POST', path, { email: 'Friend@x.example' })
    const link = made.body.url.split('#')[1]
    expect((await other.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(403)
    const person = { name: 'x', email: 'another@x.example', password }
    const asNew = await openBrowser(separate.app).change('POST', '/auth/invitations/accept', { link, person })
    expect(asNew.status).toBe(403)
    expect(await separate.services.auth?.logins.find(person.email)).toBeUndefined()
    expect((await friend.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(200)
  })

  it.each([
    ['auto', true, false, false],
    ['nobody', false, false, false],
    ['administrators', true, true, false],
    ['everybody', true, true, true],
  ])('creates accounts as INVITED_ACCOUNTS=%s allows', async (setting, hasProvider, byAdmin, byUser) => {
    const env = { INVITED_ACCOUNTS: setting, ...(!hasProvider && { OIDC_ISSUER: '' }) }
    await using api = await openApi(env)
    for (const [isAdmin, expected] of [
      [true, byAdmin],
      [false, byUser],
    ] as const) {
      const inviter = await newPerson(api, 'Inviter', { isAdmin })
      const link = await invite(inviter, await newTeam(inviter))
      const browser = openBrowser(api.app)
      const shown = await browser.change('POST', '/auth/invitations/show', { link })
      expect(shown.body).toMatchObject({ createsAccount: expected })
      const person = { name: 'x', email: `new-${isAdmin}@x.example`, password }
      const { status } = await browser.change('POST', '/auth/invitations/accept', { link, person })
      expect(status).toBe(expected ? 201 : 403)
    }
  })

  it('creates accounts only for administrators where there is no provider and nothing is set', async () => {
    await using api = await openApi({ OIDC_ISSUER: '' })
    for (const isAdmin of [true, false]) {
      const inviter = await newPerson(api, 'Inviter', { isAdmin })
      const link = await invite(inviter, await newTeam(inviter))
      const shown = await openBrowser(api.app).change('POST', '/auth/invitations/show', { link })
      expect(shown.body).toMatchObject({ createsAccount: isAdmin })
    }
  })
})
