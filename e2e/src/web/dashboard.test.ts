import { afterAll, describe, expect, it } from 'vitest'
import { newKey, stack } from '../scenario.ts'
import { choose, fileOf } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, startVisit, type Visit, type VisitOptions } from './visit.ts'

afterAll(closeBrowser)

const scopes = ['task.read', 'task.write', 'account.read', 'account.write'] as const

async function openSignedIn(path: string, options: VisitOptions = {}): Promise<Visit> {
  const { key } = await newKey({ slots: 4, scopes })
  const visit = await startVisit(stack.url, { key, ...options })
  await visit.open(path)
  return visit
}

async function expectNoBarriers(visit: Visit): Promise<void> {
  expect(await visit.barriers()).toEqual([])
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
}

describe('API keys [S-auth-07]', () => {
  it('are made with a name, scopes and an end, shown once, and revoked after a question, by keyboard alone', async () => {
    await using visit = await openSignedIn('/keys')
    const { page } = visit
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    const keyboard = createKeyboard(page)
    await keyboard.press('Create key')
    const dialog = page.getByRole('dialog')
    await keyboard.type('Name', '<b>shop</b> & co')
    await keyboard.press(/^Expires/, 'ArrowDown')
    expect(await dialog.getByLabel('Expires').inputValue()).toBe('30')
    await keyboard.press(/^webhook.read/, ' ')
    await keyboard.press(/^webhook.write/, ' ')
    expect(await visit.barriers()).toEqual([])
    await keyboard.press('Create key')
    await dialog.getByText('It is not shown again').waitFor()
    const text = (await dialog.locator('pre').first().textContent()) ?? ''
    const answer = await fetch(`${stack.url}/v1/account`, { headers: { authorization: `Bearer ${text}` } })
    expect(answer.status).toBe(200)
    await keyboard.press('Done')
    const row = page.getByRole('listitem').filter({ hasText: '<b>shop</b> & co' })
    await row.getByText('expires').waitFor()
    expect(await row.textContent()).not.toContain('webhook')
    await keyboard.press('Revoke <b>shop</b> & co')
    await row.getByRole('button', { name: 'Revoke', exact: true }).waitFor()
    await keyboard.press('Revoke')
    await row.waitFor({ state: 'detached' })
    const later = () => fetch(`${stack.url}/v1/account`, { headers: { authorization: `Bearer ${text}` } })
    await expect.poll(async () => (await later()).status, { timeout: 10_000 }).toBe(401)
  })

  it('are limited to IP addresses, renamed, and limited to others, by keyboard alone', async () => {
    await using visit = await openSignedIn('/keys', { tolerates: /400/ })
    const { page } = visit
    const keyboard = createKeyboard(page)
    await keyboard.press('Create key')
    await keyboard.type('Name', 'shop')
    await keyboard.type('Allowed IP addresses', '192.0.2.0/24, everywhere')
    await keyboard.press(/^webhook.read/, ' ')
    await keyboard.press(/^webhook.write/, ' ')
    await keyboard.press('Create key')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('must be at most 20 addresses or ranges').waitFor()
    await dialog.getByLabel('Allowed IP addresses').fill('192.0.2.0/24,  2001:db8::/48')
    await keyboard.press('Create key')
    const text = (await dialog.locator('pre').first().textContent()) ?? ''
    // Requests of the test come from loopback.
    const answer = await fetch(`${stack.url}/v1/account`, { headers: { authorization: `Bearer ${text}` } })
    expect(answer.status).toBe(403)
    await keyboard.press('Done')
    const row = page.getByRole('listitem').filter({ hasText: 'shop' })
    await row.getByText('only from 192.0.2.0/24, 2001:db8::/48').waitFor()
    await keyboard.press('Rename shop')
    await dialog.getByLabel('Name').fill('<i>store</i>')
    await keyboard.press('Save')
    const renamed = page.getByRole('listitem').filter({ hasText: '<i>store</i>' })
    await renamed.getByText('only from').waitFor()
    expect(await visit.barriers()).toEqual([])

    const status = async () =>
      (await fetch(`${stack.url}/v1/account`, { headers: { authorization: `Bearer ${text}` } })).status
    await keyboard.press('IP addresses of <i>store</i>')
    const field = dialog.getByLabel('Allowed IP addresses')
    expect(await field.inputValue()).toBe('192.0.2.0/24, 2001:db8::/48')
    expect(await visit.barriers()).toEqual([])
    await field.fill('127.0.0.1 everywhere')
    await keyboard.press('Save')
    await dialog.getByText('must be at most 20 addresses or ranges').waitFor()
    await field.fill('127.0.0.0/8, ::1')
    await keyboard.press('Save')
    await renamed.getByText('only from 127.0.0.0/8, ::1').waitFor()
    await expect.poll(status, { timeout: 10_000 }).toBe(200)

    await keyboard.press('IP addresses of <i>store</i>')
    await field.fill('')
    await keyboard.press('Save')
    await renamed.getByText('only from').waitFor({ state: 'detached' })
    expect(await status()).toBe(200)
  })

  it.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 360 },
  ] as const)('have no barriers ($theme, $width px)', async (look) => {
    await using visit = await openSignedIn('/keys', look)
    await visit.page.getByRole('listitem').first().waitFor()
    await expectNoBarriers(visit)
  })

  it('say what is missing when a key may not make others', async () => {
    const { key } = await newKey({ slots: 1, scopes: ['task.read', 'account.read'] })
    await using visit = await startVisit(stack.url, { key, tolerates: /403/ })
    await visit.open('/keys')
    await visit.page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = visit.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('another')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('account.write, which this endpoint needs').waitFor()
  })
})

describe('usage', () => {
  it('is empty at first, and then shows what was converted', async () => {
    await using visit = await openSignedIn('/usage')
    const { page } = visit
    await page.getByText('Nothing used yet').waitFor()
    await page.getByRole('link', { name: 'Convert', exact: true }).first().click()
    await choose(visit, fileOf('photo-40k.jpg', 'holiday.jpg'))
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.reload()
    await page.getByRole('rowheader', { name: 'JPG → WEBP' }).waitFor()
    const row = (table: string, name: string) =>
      page
        .getByRole('region', { name: table })
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name }) })
    await row('Operations', 'convert').getByRole('cell', { name: '1', exact: true }).first().waitFor()
    await row('Engines', 'image').getByRole('cell', { name: '1', exact: true }).first().waitFor()
    await row('Engines', 'no engine').waitFor()
    await expectNoBarriers(visit)
  })

  it.each([
    { theme: 'dark', width: 1280 },
    { theme: 'light', width: 360 },
  ] as const)('has no barriers ($theme, $width px)', async (look) => {
    await using visit = await openSignedIn('/usage', look)
    await visit.page.getByText('Nothing used yet').waitFor()
    await expectNoBarriers(visit)
  })
})

it('users who are not signed in are asked to, on every page of the account', async () => {
  for (const path of [
    '/jobs',
    `/jobs/${'0'.repeat(24)}`,
    '/keys',
    '/webhooks',
    '/security',
    '/audit',
    '/settings',
    '/usage',
  ]) {
    await using visit = await startVisit(stack.url)
    await visit.open(path)
    await visit.page.getByLabel('API key').waitFor()
    expect(new URL(visit.page.url()).pathname).toBe('/sign-in')
  }
})
