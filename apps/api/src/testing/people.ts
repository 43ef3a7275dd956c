import type { EmailProof } from '@lathe/database'
import { expect } from 'vitest'
import { type Browser, openBrowser } from './browser.ts'
import type { TestApi } from './start-api.ts'

let people = 0

/** A signed-in user with their own network. */
export interface Person {
  readonly email: string
  readonly userId: string
  readonly browser: Browser
  /** Calls the API as a team, or as the user. */
  call(method: string, url: string, payload?: object, ownerId?: string): Promise<{ status: number; body: unknown }>
}

interface PersonOptions {
  readonly isAdmin?: boolean
  readonly email?: string
  readonly emailProof?: EmailProof
}

/** Creates a user and signs them in, by default one whose address an administrator has entered. */
export async function newPerson(
  api: TestApi,
  name = 'Person',
  { isAdmin = false, emailProof = 'administrator', ...given }: PersonOptions = {},
): Promise<Person> {
  people += 1
  const email = given.email ?? `person-${people}@x.example`
  const { auth, database } = api.services
  if (!auth) throw new Error('no accounts')
  const origin = { address: `2001:db8:${people.toString(16)}::1`, userAgent: 'a test' }
  // Created without a password, because hashing takes longer than most tests.
  const { session, cookie } = await database.transaction(async (tx) => {
    const person = { name: `${name} ${people}`, email, emailProof, password: null, isAdmin }
    const { userId } = await auth.logins.create(tx, person)
    return auth.sessions.open(tx, { userId, kind: 'usual', ...origin })
  })
  const browser = openBrowser(api.app, origin.address)
  browser.cookie = `${auth.cookie.name}=${cookie}`
  return {
    ...{ email, userId: session.userId, browser },
    async call(method, url, payload, ownerId) {
      const token = await browser.token(ownerId === undefined ? {} : { ownerId })
      return ask(api, token, method, url, payload)
    },
  }
}

/** Sends one API request with a token. */
export async function ask(
  api: TestApi,
  token: string,
  ...[method, url, payload, more]: [string, string, object?, Readonly<Record<string, string>>?]
) {
  const headers = { authorization: `Bearer ${token}`, ...more }
  const answer = await api.app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
  const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== ''
  return { status: answer.statusCode, body: isJson ? answer.json() : undefined }
}

/** Creates a team of the owner, optionally with an admin and a member. */
export async function newTeam(
  owner: Person,
  { admin, member }: { readonly admin?: Person; readonly member?: Person } = {},
): Promise<string> {
  const made = await owner.browser.change<{ id: string }>('POST', '/auth/teams', { name: 'Turners' })
  expect(made.status).toBe(201)
  if (admin) await join(owner, admin, made.body.id, 'admin')
  if (member) await join(owner, member, made.body.id, 'member')
  return made.body.id
}

/** Lets a user join a team with an invitation link. */
export async function join(owner: Person, person: Person, teamId: string, role: string): Promise<void> {
  const accepted = await person.browser.change('POST', '/auth/invitations/accept', {
    link: await invite(owner, teamId, role),
  })
  expect(accepted.status).toBe(200)
}

/** Creates an invitation and returns the secret at the end of its link. */
export async function invite(owner: Person, teamId: string, role = 'member'): Promise<string> {
  const { status, body } = await owner.browser.change<{ url: string }>('POST', `/auth/teams/${teamId}/invitations`, {
    role,
  })
  expect(status).toBe(201)
  return body.url.split('#')[1] ?? ''
}
