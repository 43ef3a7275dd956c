import { findFreePort, type MailServer, startMailServer } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let server: MailServer
let api: TestApi
beforeAll(async () => {
  server = await startMailServer()
  api = await openApi(server.url)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const openApi = (url: string) =>
  startApi({ env: { ACCOUNTS_MODE: 'accounts', SMTP_URL: url, MAIL_FROM: 'Lathe <lathe@x.example>' } })

interface Invited {
  readonly url: string
  readonly mail: string
}

async function inviteTo(owner: Person, body: object, teamId?: string) {
  const id = teamId ?? (await newTeam(owner))
  return owner.browser.change<Invited>('POST', `/auth/teams/${id}/invitations`, body)
}

it('an invitation is mailed as plain text, with a link that the inviter does not see', async () => {
  const bob = { email: 'bob@x.example' }
  const [owner, guest] = [await newPerson(api, 'Ada'), await newPerson(api, 'Bob', bob)]
  const { status, body } = await inviteTo(owner, { email: 'bob@x.example', role: 'admin' })
  expect([status, body.mail]).toEqual([201, 'sent'])
  const [mail] = server.mails.splice(0)
  expect(mail).toMatchObject({ from: 'lathe@x.example', to: ['bob@x.example'] })
  expect(mail?.source).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im)
  const readable = mail?.source.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
  expect(readable).toMatch(/^Subject: Ada \d+ invites you to Turners on Lathe\r$/m)
  const mailed = /https:\/\/lathe\.test\/join#[\w-]{43}(?=\r\n)/.exec(readable)?.[0] ?? ''
  expect(mailed).not.toBe('')
  expect(mailed).not.toBe(body.url)
  const link = mailed.split('#')[1]
  expect((await guest.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(200)
})

it('nothing is mailed for a link that is passed on by hand', async () => {
  const { body } = await inviteTo(await newPerson(api), {})
  expect(body.mail).toBe('none')
  expect(server.mails).toHaveLength(0)
})

it('names cannot inject headers, and an address is a single one', async () => {
  const owner = await newPerson(api, 'Eve\r\nBcc: all@x.example')
  const made = await owner.browser.change<{ id: string }>('POST', '/auth/teams', {
    name: 'a\r\nBcc: b@x.example\r\n\r\nx',
  })
  const { body } = await inviteTo(owner, { email: 'bob@x.example' }, made.body.id)
  expect(body.mail).toBe('sent')
  const [mail] = server.mails.splice(0)
  expect(mail?.to).toEqual(['bob@x.example'])
  expect(mail?.source).not.toMatch(/^Bcc:/im)
  const two = await inviteTo(owner, { email: 'bob@x.example,eve@x.example' }, made.body.id)
  expect([two.status, server.mails]).toEqual([400, []])
})

it('failed mail is reported, and the link still works', async () => {
  server.refused.add('nobody@x.example')
  const [owner, guest] = [await newPerson(api), await newPerson(api, 'Nobody', { email: 'nobody@x.example' })]
  const refused = await inviteTo(owner, { email: 'nobody@x.example' })
  expect([refused.status, refused.body.mail]).toEqual([201, 'failed'])
  const link = refused.body.url.split('#')[1]
  expect((await guest.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(200)
  await using away = await openApi(`smtp://127.0.0.1:${await findFreePort()}`)
  const failed = await inviteTo(await newPerson(away), { email: 'bob@x.example' })
  expect([failed.status, failed.body.mail]).toEqual([201, 'failed'])
})

it('the password is not sent to a mail server whose certificate is not trusted', async () => {
  const user = { name: 'lathe', password: 'secret' }
  await using locked = await startMailServer(user)
  await using own = await openApi(`smtp://${user.name}:${user.password}@127.0.0.1:${locked.port}`)
  const { body } = await inviteTo(await newPerson(own), { email: 'bob@x.example' })
  expect(body.mail).toBe('failed')
  expect(locked.mails).toHaveLength(0)
})

it('a mail server needs a sender', () => {
  const env = {
    ...{ DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', LATHE_SECRET: 's'.repeat(32), STORAGE_KIND: 'disk' },
    ...{ STORAGE_DIR: '/tmp/x', SMTP_URL: 'smtp://mail.example.com' },
  }
  expect(() => readConfig(env)).toThrow(/SMTP_URL needs MAIL_FROM/)
  expect(readConfig({ ...env, MAIL_FROM: 'a@x.example' }).mail).toMatchObject({ port: 587, isSecure: false })
})
