import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import type { AccountsStack } from './global-setup.ts'
import { startVisit, type Visit, type VisitOptions } from './visit.ts'

/** A user with an account. */
export interface Person {
  readonly email: string
  readonly password: string
}

/** Creates a user like the operator does. */
export async function createPerson(
  stack: AccountsStack,
  email: string,
  { url = stack.url, isAdmin = false }: { readonly url?: string; readonly isAdmin?: boolean } = {},
): Promise<Person> {
  const args = ['create-user', '--name', 'Ada', '--email', email, ...(isAdmin ? ['--admin'] : []), '--json']
  const { stdout } = await runAdmin(stack, url, args)
  const { password } = JSON.parse(stdout) as { password: string }
  return { email, password }
}

/** The path and fragment of a new setup link, which the operator creates on the host. */
export async function makeSetupLink(stack: AccountsStack): Promise<string> {
  const { stdout } = await runAdmin(stack, stack.url, ['setup-link'])
  return /\/setup#\S+/.exec(stdout)?.[0] ?? ''
}

function runAdmin(
  { databaseUrl, secret, redis, storageEnv }: AccountsStack,
  url: string,
  args: readonly string[],
): Promise<{ stdout: string }> {
  const program = new URL('../../../scripts/admin.ts', import.meta.url).pathname
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, LATHE_SECRET: secret },
    ...{ LATHE_PUBLIC_URL: url, LATHE_ALLOW_HTTP: '1', ACCOUNTS_MODE: 'accounts', ...storageEnv },
  }
  return promisify(execFile)(process.execPath, [program, ...args], { env })
}

/** A browser of a user who has just signed in, on a page. */
export async function signIn(url: string, person: Person, path: string, options: VisitOptions = {}): Promise<Visit> {
  const visit = await startVisit(url, options)
  const { page } = visit
  await visit.open('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await visit.open(path)
  return visit
}

/** The code of an authenticator app for a key, `steps` of 30 seconds from now (RFC 6238). */
export function codeOf(key: string, steps = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...key].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((part) => Number.parseInt(part, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const hash = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const number = hash.readUInt32BE((hash[19] ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
