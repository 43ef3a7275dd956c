import { type MailServer, startMailServer } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPerson, newTeam, type Person } from '../testing/people.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let server: MailServer
let api: TestApi
beforeAll(async () => {
  server = await startMailServer()
  api = await openApi({ INVITATIONS_PER_DAY: '4' })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const openApi = (env: Record<string, string>) =>
  startApi({
    env: { ACCOUNTS_MODE: 'accounts', SMTP_URL: server.url, MAIL_FROM: 'lathe@x.example', ...env },
  })

interface Made {
  readonly id: string
  readonly url: string
  readonly mail: string
}

function inviteTo(owner: Person, teamId: string, email?: string) {
  const sent = email === undefined ? {} : { email }
  return owner.browser.change<Made>('POST', `/auth/teams/${teamId}/invitations`, sent)
}

const revoke = (owner: Person, teamId: string, { id }: Made) =>
  owner.browser.change('DELETE', `/auth/teams/${teamId}/invitations/${id}`)

it('a user creates a limited number of invitations per day, in all teams and processes, whether revoked or not', async () => {
  const owner = await newPerson(api)
  const [first, second] = [await newTeam(owner), await newTeam(owner)]
  for (const teamId of [first, second, first, second]) {
    const { status, body } = await inviteTo(owner, teamId)
    expect(status).toBe(201)
    expect((await revoke(owner, teamId, body)).status).toBe(204)
  }
  for (const teamId of [first, second]) expect((await inviteTo(owner, teamId)).status).toBe(403)
  // Nothing of it is in the memory of a process, or in Redis.
  const { rows } = await api.services.database.pool.query<{ count: number }>(
    'select count from daily_counts where subject = $1',
    [`invitations of ${owner.userId}`],
  )
  expect(rows).toEqual([{ count: 4 }])
  await api.services.database.pool.query(`update daily_counts set day = day - 1`)
  expect((await inviteTo(owner, first)).status).toBe(201)
  const other = await newPerson(api)
  expect((await inviteTo(other, await newTeam(other))).status).toBe(201)
})

it('invitations that are created at the same time are counted', async () => {
  const owner = await newPerson(api)
  const teams = await Promise.all(Array.from({ length: 4 }, () => newTeam(owner)))
  const answers = await Promise.all([...teams, ...teams].map((teamId) => inviteTo(owner, teamId)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 403, 403, 403, 403])
})

it('an address gets a limited number of mails per day, whoever invites and revokes', async () => {
  server.mails.length = 0
  const outcomes: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const owner = await newPerson(api)
    const teamId = await newTeam(owner)
    const { status, body } = await inviteTo(owner, teamId, n % 2 === 0 ? 'victim@x.example' : 'VICTIM@x.example')
    expect(status).toBe(201)
    outcomes.push(body.mail)
    expect((await revoke(owner, teamId, body)).status).toBe(204)
  }
  expect(outcomes).toEqual(['sent', 'sent', 'sent', 'limited', 'limited'])
  expect(server.mails.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => ['victim@x.example']))
  // An invitation that was not mailed works by its link.
  const [owner, guest] = [await newPerson(api), await newPerson(api, 'Victim', { email: 'victim@x.example' })]
  const { body } = await inviteTo(owner, await newTeam(owner), 'victim@x.example')
  const link = body.url.split('#')[1]
  expect((await guest.browser.change('POST', '/auth/invitations/accept', { link })).status).toBe(200)
})

it('nobody invites with INVITATIONS_PER_DAY=0', async () => {
  await using closed = await openApi({ INVITATIONS_PER_DAY: '0' })
  const owner = await newPerson(closed, 'Owner', { isAdmin: true })
  const { status, body } = await inviteTo(owner, await newTeam(owner))
  expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('Nobody may invite')])
})

it('mails carry no links of their senders', async () => {
  server.mails.length = 0
  const owner = await newPerson(api, 'Your bank: account locked, call now or lose all of it at once')
  const made = await owner.browser.change<{ id: string }>('POST', '/auth/teams', {
    name: 'URGENT verify at https://evil.example/login now or lose it all',
  })
  expect((await inviteTo(owner, made.body.id, 'bob@x.example')).body.mail).toBe('sent')
  const source = server.mails[0]?.source.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
  expect(source.match(/https?:\/\/[^/\s]*/g)).toEqual(['https://lathe.test'])
  expect(source).not.toContain('evil.example')
})

it('an email address is changed a limited number of times per day, since each change mails the previous one', async () => {
  server.mails.length = 0
  const owner = await newPerson(api)
  const statuses: number[] = []
  for (let n = 0; n < 7; n += 1) {
    const email = `prey-${n}@x.example`
    statuses.push((await owner.browser.change('PATCH', '/auth/account', { email })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 403, 403])
})
