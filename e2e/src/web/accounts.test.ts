import { type Stack, startStack } from '@lathe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { choose, fileOf } from './files.ts'
import { makeSetupLink, signIn } from './people.ts'
import { closeBrowser, startVisit } from './visit.ts'

const photo = fileOf('photo-40k.jpg', 'holiday.jpg')
const person = { name: 'Ada', email: 'ada@example.com', password: 'seven green bottles on a wall' }

afterAll(closeBrowser)

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
    await visit.open(await makeSetupLink(stack))
    await page.getByLabel('Your name').fill(person.name)
    expect(page.url()).toBe(`${stack.url}/setup`)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Skip' }).click()
    await page.getByRole('heading', { name: 'Create your first API key' }).waitFor()
    await page.getByRole('button', { name: 'Skip' }).click()
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

  it('shares one stream of events among eight tabs, also when the tab that reads it is closed', async () => {
    await using visit = await signIn(stack.url, person, '/')
    const { page, context } = visit
    const readers: Page[] = []
    context.on('request', (request) => {
      if (request.url().endsWith('/v1/process/events')) readers.push(request.frame().page())
    })
    const tabs = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))]
    for (const tab of tabs) await tab.goto(`${stack.url}/jobs`)
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).waitFor()
    expect(readers).toEqual([page])
    await createJob(page, 'first')
    for (const tab of tabs) await tab.getByText('first', { exact: true }).waitFor()

    await page.close()
    const [second, ...others] = tabs.slice(1)
    await expect.poll(() => readers.length).toBe(2)
    await createJob(second ?? page, 'second')
    for (const tab of [second ?? page, ...others]) await tab.getByText('second', { exact: true }).waitFor()
    expect(readers.length).toBe(2)
  })
})

/** Creates a job as the signed-in user of a page. */
async function createJob(page: Page, tag: string): Promise<void> {
  const status = await page.evaluate(`(async () => {
    const post = (path, body, headers) => fetch(path, {
      method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers },
    })
    const { token } = await (await post('/auth/token', {})).json()
    const tasks = { file: { operation: 'import/upload' } }
    const made = await post('/v1/process/jobs', { tag: ${JSON.stringify(tag)}, tasks }, { authorization: 'Bearer ' + token })
    return made.status
  })()`)
  expect(status).toBe(201)
}

describe('open to everybody', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ schedulers: 0, env: { ACCOUNTS_MODE: 'open' } })
    await stack.database.pool.query(
      `insert into pair_rates (operation, input_format, output_format, completed, failed, median_ms)
       values ('convert', 'jpg', 'webp', 100, 0, 4200)`,
    )
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  it('shows how long a conversion usually takes on this instance, where that is known', async () => {
    await using visit = await startVisit(stack.url)
    const row = (name: string) => visit.page.getByRole('article', { name })
    await visit.open('/')
    await choose(visit, photo, fileOf('alpha.png'))
    await row('holiday.jpg').getByText('usually 4 sec').waitFor()
    expect(await row('alpha.png').textContent()).not.toContain('usually')
  })

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

  it('keeps the owner of a browser over a reload, with its results', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    const [before] = await visit.context.cookies()
    await page.reload()
    const link = page.getByRole('link', { name: 'Download', exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('holiday.webp')
    await choose(visit, fileOf('alpha.png'))
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('2 of 2 done').waitFor()
    expect((await visit.context.cookies()).map(({ value }) => value)).toEqual([before?.value])
  })

  it('shares results with another browser by a link, without a sign-in on either side', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const address = new URL(await page.getByLabel('Link', { exact: true }).inputValue())

    await using stranger = await startVisit(stack.url)
    await stranger.open(address.pathname + address.hash)
    const one = stranger.page.getByRole('link', { name: 'Download holiday.webp' })
    const [download] = await Promise.all([stranger.page.waitForEvent('download'), one.click()])
    expect(download.suggestedFilename()).toBe('holiday.webp')
    // Who only downloads gets no owner.
    expect(await stranger.context.cookies()).toEqual([])
  })

  it('has no dashboard, and leads from its pages to the converter', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    for (const path of ['/keys', '/jobs', '/instance', '/sign-in']) {
      await visit.open(path)
      await page.getByRole('heading', { level: 1, name: 'Convert files' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }
    expect(await page.getByRole('link', { name: 'Dashboard' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Convert files' }).waitFor()
    expect(await page.getByRole('option', { name: /keys|Jobs|Sign|Instance/ }).count()).toBe(0)
  })
})
