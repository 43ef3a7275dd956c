import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Stack, startStack } from '@lathe/testing'
import type { Download } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../scenario.ts'
import { expectNoBarriers, looks } from './dashboard-visit.ts'
import { createKeyboard } from './keyboard.ts'
import { makeSetupLink } from './people.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

const run = promisify(execFile)
const root = new URL('../../../', import.meta.url).pathname
const person = { name: 'Ada', email: 'ada@example.com', password: 'seven green bottles on a wall' }
const mostMs = 60_000
const withAccounts = { ACCOUNTS_MODE: 'accounts' }

afterAll(closeBrowser)

async function createAccount({ page }: Visit): Promise<void> {
  await page.getByLabel('Your name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

const titleOf = ({ page }: Visit, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path())
}

it('takes less than a minute from an empty database to the first downloaded file', async () => {
  const startedAt = performance.now()
  await using stack = await startStack({ privatePostgres: true, schedulers: 0, env: withAccounts })
  const readyMs = performance.now() - startedAt
  await using visit = await startVisit(stack.url)
  const { page } = visit
  await visit.open(await makeSetupLink(stack))
  await createAccount(visit)
  await titleOf(visit, 'Check the public URL')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Convert the sample' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the result' }).click(),
  ])
  const file = await bytesOf(download)
  const tookMs = performance.now() - startedAt
  console.log(`first run: ready after ${Math.round(readyMs)} ms, first file after ${Math.round(tookMs)} ms`)
  expect(download.suggestedFilename()).toBe('sample.webp')
  expect(file.subarray(8, 12).toString()).toBe('WEBP')
  expect(tookMs).toBeLessThan(mostMs)
}, 180_000)

describe('the steps after the first account', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ schedulers: 0, env: withAccounts })
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  it('at another URL than the configured one, the page explains what to change and links to the right one', async () => {
    const other = stack.url.replace('127.0.0.1', 'localhost')
    await using visit = await startVisit(other, { alsoAsks: stack.url, tolerates: /403/ })
    const { page } = visit
    await visit.open(await makeSetupLink(stack))
    await page.getByText(`set LATHE_PUBLIC_URL=${other} for all processes`).waitFor()
    await createAccount(visit)
    await page.getByRole('alert').getByText(`Open the page as ${stack.url}`).waitFor()
    await expectNoBarriers(visit)
    await page.getByRole('link', { name: `Open ${stack.url}` }).click()
    await page.waitForURL(`${stack.url}/setup`)
    await page.getByLabel('Your name').waitFor()
    expect(await page.getByText('LATHE_PUBLIC_URL').count()).toBe(0)
  })

  it('work by keyboard, survive a reload, have no barriers, and end with a key whose examples run', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    const keyboard = createKeyboard(page)
    await visit.open(await makeSetupLink(stack))
    await page.getByLabel('Your name').waitFor()
    await keyboard.type('Your name', person.name)
    await keyboard.type('Email', person.email)
    await keyboard.type('Password', person.password)
    await page.keyboard.press('Enter')

    await titleOf(visit, 'Check the public URL')
    await page.getByText('Both are the same.').waitFor()
    await page.getByText('Only the server itself can open this URL').waitFor()
    await expectSteps(visit)
    await keyboard.press('Continue')

    await titleOf(visit, 'Convert a sample')
    await page.reload()
    await titleOf(visit, 'Convert a sample')
    expect(await page.getByRole('listitem').and(page.locator('[aria-current=step]')).textContent()).toBe('2 Sample')
    await keyboard.press('Convert the sample')
    await page.getByText(/^Converted in [\d.]+ s$/).waitFor()
    await expectSteps(visit)
    await keyboard.press('Continue')

    await titleOf(visit, 'Create your first API key')
    await keyboard.press('Create the key')
    await page.getByText('Copy the key now').waitFor()
    await expectSteps(visit)
    const [key = '', ...examples] = await page.locator('pre').allTextContents()
    await expectToRun(key, examples)
    await keyboard.press('Finish')
    await titleOf(visit, 'Convert files')
    await visit.open('/setup')
    await titleOf(visit, 'Convert files')
  }, 180_000)

  /** No barriers in any look: the first run is there once only, so the look of its page changes. */
  async function expectSteps(visit: Visit): Promise<void> {
    for (const { theme, width } of looks) {
      await visit.page.emulateMedia({ colorScheme: theme })
      await visit.page.setViewportSize({ width, height: 900 })
      await expectNoBarriers(visit)
    }
  }

  /** Runs the examples as an operator would, in a folder with a photo. */
  async function expectToRun(key: string, [curl = '', typescript = '', cli = '']: readonly string[]): Promise<void> {
    expect(curl).toContain(key)
    const folder = await mkdtemp(join(tmpdir(), 'lathe-first-run-'))
    try {
      await writeFile(join(folder, 'photo.jpg'), fixture('photo-40k.jpg'))
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
      const env = { PATH: process.env.PATH, HOME: folder }
      const made = await run('bash', ['-c', curl], { cwd: folder, env })
      expect(JSON.parse(made.stdout)).toMatchObject({ status: 'completed' })

      await run(process.execPath, ['--input-type=module', '--eval', typescript], { cwd: folder, env })
      expect((await readFile(join(folder, 'photo.webp'))).subarray(8, 12).toString()).toBe('WEBP')
      await rm(join(folder, 'photo.webp'))

      const program = `lathe() { "${process.execPath}" "${root}apps/cli/src/main.ts" "$@"; }; set -e`
      const [install = '', ...commands] = cli.split('\n')
      expect(install).toBe('npm install --global @lathe/cli')
      await run('bash', ['-c', [program, ...commands].join('\n')], { cwd: folder, env })
      expect((await readFile(join(folder, 'photo.webp'))).subarray(8, 12).toString()).toBe('WEBP')
    } finally {
      await rm(folder, { recursive: true })
    }
  }
})
