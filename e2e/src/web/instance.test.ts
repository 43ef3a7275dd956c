import type { FormatList } from '@lathe/contract'
import { type Stack, startStack } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { base64Body, stack as shared } from '../scenario.ts'
import { expectNoBarriers, hostileNames, looks } from './dashboard-visit.ts'
import { createPerson, type Person, signIn } from './people.ts'
import { closeBrowser, startVisit } from './visit.ts'

let stack: Stack
let admin: Person
let other: Person

beforeAll(async () => {
  stack = await startStack({ schedulers: 0, env: { ACCOUNTS_MODE: 'accounts' } })
  admin = await createPerson(stack, 'admin@example.com', { isAdmin: true })
  other = await createPerson(stack, 'grace@example.com')
})
afterAll(async () => {
  await closeBrowser()
  await stack[Symbol.asyncDispose]()
})

describe('the page of the instance', () => {
  it('is for administrators alone', async () => {
    await using visit = await signIn(stack.url, other, '/jobs')
    await visit.page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    expect(await visit.page.getByRole('link', { name: 'Instance' }).count()).toBe(0)
    await visit.open('/instance')
    await visit.page.waitForURL('**/jobs')
  })

  it('shows workers, adds a person, changes a plan, suspends, and lifts it, by keyboard alone', async () => {
    await using visit = await signIn(stack.url, admin, '/instance')
    const { page } = visit
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.getByRole('list', { name: 'Workers' }).getByText('isolation').first().waitFor()
    await page.getByRole('list', { name: 'Workers' }).getByText('engines: image, av').first().waitFor()
    await page
      .getByRole('list', { name: 'Workers' })
      .getByText(/0 of \d+ engines busy/)
      .first()
      .waitFor()
    const engines = page.getByRole('region', { name: 'Engines' })
    await engines.getByRole('row').filter({ hasText: 'office' }).getByRole('cell', { name: '1' }).waitFor()
    expect(await engines.getByText('no worker').count()).toBe(0)
    await page.getByText('No task is waiting').waitFor()
    await press('Add a person')
    await page.keyboard.type(hostileNames[0])
    await page.getByLabel('Email address', { exact: true }).focus()
    await page.keyboard.type('New@example.com')
    await page.keyboard.press('Enter')
    const password = await page.getByRole('dialog').locator('pre').textContent()
    await press('Done')
    await page.getByLabel('Name or email address').focus()
    await page.keyboard.type('new@')
    await page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    await press(`Change ${hostileNames[0]}`)
    await page.getByLabel('Tasks at once').fill('3')
    await page.getByLabel('Storage in GB').fill('2.5')
    await press('Save')
    await page.getByText('3 tasks at once').waitFor()
    await press(`Change ${hostileNames[0]}`)
    expect(await page.getByLabel('Storage in GB').inputValue()).toBe('2.5')
    await press(`Suspend ${hostileNames[0]}`)
    await page
      .getByRole('group', { name: `Suspend ${hostileNames[0]}` })
      .getByRole('button', { name: 'Suspend' })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByText('Suspended', { exact: true }).waitFor()

    await using refused = await startVisit(stack.url, { tolerates: /403/ })
    await refused.open('/sign-in')
    await refused.page.getByLabel('Email').fill('new@example.com')
    await refused.page.getByLabel('Password').fill(password ?? '')
    await refused.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await refused.page.getByText('This account is suspended').waitFor()

    await press(`Change ${hostileNames[0]}`)
    await press('Lift the suspension')
    await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
    await refused.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await refused.page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  it('deletes a team after a question', async () => {
    await using owner = await signIn(stack.url, other, '/members')
    await owner.page.getByRole('button', { name: 'Create team' }).click()
    await owner.page.getByLabel('Name of the team').fill(hostileNames[1])
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Create team' }).click()
    await owner.page.getByRole('dialog').waitFor({ state: 'detached' })
    await using visit = await signIn(stack.url, admin, '/instance')
    const { page } = visit
    await page.getByRole('button', { name: `Change ${hostileNames[1]}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Its members keep their own accounts').waitFor()
    await dialog.getByRole('button', { name: `Delete ${hostileNames[1]}` }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText(hostileNames[1]).first().waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Accounts' }).getByText(other.email).waitFor()
  })

  it('posts an announcement that everybody sees as text', async () => {
    await using visit = await signIn(stack.url, admin, '/instance')
    const { page } = visit
    await page.getByLabel('Text', { exact: true }).fill(hostileNames[1])
    await page.getByRole('button', { name: 'Post' }).click()
    await using guest = await startVisit(stack.url, { width: 360 })
    await guest.open('/')
    await guest.page.getByText(hostileNames[1]).waitFor()
    await expectNoBarriers(guest)
    await page.getByLabel('Text', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Post' }).waitFor()
    await guest.open('/')
    await guest.page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    expect(await guest.page.getByText(hostileNames[1]).count()).toBe(0)
  })

  it('switches a format off with a reason, and on again, by keyboard alone', async () => {
    const { key } = await stack.createKey()
    const api = createClient({ url: stack.url, key, recordFile: shared.recordFile })
    const outputs = async () => {
      const { body } = await api.get<FormatList>('/v1/query/formats/convert?input_format=png')
      return body.formats.map(({ ext }) => ext)
    }
    await using visit = await signIn(stack.url, admin, '/instance')
    const { page } = visit
    await page.getByLabel('From', { exact: true }).focus()
    await page.getByRole('option', { name: 'PNG', exact: true }).first().waitFor({ state: 'attached' })
    await page.keyboard.type('png')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(hostileNames[0])
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Formats' }).getByText('PNG as input').waitFor()
    await page.getByRole('list', { name: 'Formats' }).getByText(hostileNames[0]).waitFor()
    await expectNoBarriers(visit)
    await expect.poll(outputs, { timeout: 5000 }).toEqual([])

    // The request does not tell what the file is: its task says why it fails.
    const source = await api.run('import/base64', base64Body('alpha.png'))
    const { status, result } = await api.run('convert', { input: source.id, output_format: 'jpg' })
    expect([status, result.reason, result.msg]).toEqual([
      'failed',
      'format_disabled',
      expect.stringContaining('switched off by the administrators of this service'),
    ])

    await page.getByRole('button', { name: 'Switch on: PNG as input' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('PNG as input').waitFor({ state: 'detached' })
    await expect.poll(outputs, { timeout: 5000 }).toContain('jpg')
  })

  it.each(looks)('has no barriers, $theme at $width px', async (look) => {
    await using visit = await signIn(stack.url, admin, '/instance', look)
    await visit.page.getByRole('list', { name: 'Workers' }).waitFor()
    await visit.page.getByRole('list', { name: 'Accounts' }).waitFor()
    await expectNoBarriers(visit)
    await visit.page.getByRole('button', { name: 'Change', exact: false }).first().click()
    await visit.page.getByRole('dialog').waitFor()
    await expectNoBarriers(visit)
  })
})
