import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Stack, startStack } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { choose, fileOf } from './files.ts'
import { closeBrowser, startVisit } from './visit.ts'

const photo = fileOf('photo-40k.jpg', 'holiday.jpg')
const person = { name: 'Ada', email: 'ada@example.com', password: 'seven green bottles on a wall' }

afterAll(closeBrowser)

async function setupLink({ databaseUrl, secret, url, redis, storageEnv }: Stack): Promise<string> {
  const program = new URL('../../../scripts/admin.ts', import.meta.url).pathname
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, LATHE_SECRET: secret },
    ...{ LATHE_PUBLIC_URL: url, LATHE_ALLOW_HTTP: '1', ACCOUNTS_MODE: 'accounts', ...storageEnv },
  }
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'setup-link'], { env })
  return /\/setup#\S+/.exec(stdout)?.[0] ?? ''
}

describe('with accounts', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ schedulers: 0, env: { ACCOUNTS_MODE: 'accounts' } })
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  it('begins with the setup link, and leads from there to the first file', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/sign-in')
    await page.getByText('Open the setup link').waitFor()
    await visit.open(await setupLink(stack))
    await page.getByLabel('Your name').fill(person.name)
    expect(page.url()).toBe(`${stack.url}/setup`)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    expect(await visit.barriers()).toEqual([])
  })

  it('signs in, stays signed in over a reload, and signs out', async () => {
    await using visit = await startVisit(stack.url, { tolerates: /401/ })
    const { page } = visit
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('link', { name: 'Sign in to convert' }).click()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill('not this one, surely')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Email or password is wrong.').waitFor()
    expect(await visit.barriers()).toEqual([])
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await page.reload()
    await page.getByText(person.name, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  })
})

describe('open to everybody', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ schedulers: 0, env: { ACCOUNTS_MODE: 'open' } })
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  it('asks nobody to sign in, and keeps browsers apart', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    expect(await visit.context.cookies()).toHaveLength(1)
  })
})
