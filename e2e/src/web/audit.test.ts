import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { newKey, stack } from '../scenario.ts'
import { expectNoBarriers, hostileNames, looks, openDashboard } from './dashboard-visit.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

const makeKey = (api: Client, name: string) => api.post('/v1/account/keys', { name, scopes: ['task.read'] })

describe('the audit log', () => {
  it('shows what was done, is narrowed by keyboard alone, and keeps that in the address', async () => {
    await using visit = await openDashboard('/audit', {}, async (api) => {
      await makeKey(api, 'shop')
      await api.post('/v1/webhooks', { url: 'https://hooks.example/a' })
    })
    const { page } = visit
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    await rows.filter({ hasText: 'webhook.created' }).waitFor()
    const row = rows.filter({ hasText: 'key.created' }).filter({ hasText: 'shop' })
    await row.getByText('with an API key').waitFor()
    await row.getByText('127.0.0.1').waitFor()
    await page.getByLabel('Action').focus()
    await page.keyboard.type('webhook.created')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(1)
    expect(new URL(page.url()).search).toBe('?action=webhook.created')
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('To (UTC)').fill('2020-01-31')
    await page.getByText('No entry matches').waitFor()
    await page.getByRole('button', { name: 'Reset filters' }).click()
    await row.waitFor()
  })

  it('shows names instead of ids, and is narrowed to a user by keyboard alone', async () => {
    await using visit = await openDashboard('/audit', {}, (api) => makeKey(api, hostileNames[0]))
    const { page } = visit
    const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    const { body: account } = await visit.api.get<{ id: string; name: string }>('/v1/account')
    const row = rows.filter({ hasText: `by ${account.name}` }).first()
    await row.getByText(`to ${hostileNames[0]}`).waitFor()
    expect(await row.textContent()).not.toContain(account.id)
    await page.getByLabel('User').focus()
    await page.keyboard.type(account.name)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('user')).toBe(account.id)
    await page.reload()
    await row.waitFor()
    expect(await page.getByLabel('User').inputValue()).toBe(account.id)
    await visit.open(`/audit?user=${'f'.repeat(24)}`)
    await page.getByText('No entry matches').waitFor()
    expect(await page.getByLabel('User').inputValue()).toBe('f'.repeat(24))
    await expectNoBarriers(visit)
  })

  it('is exported as CSV and as JSON lines, with names as they are', async () => {
    const name = '=1+1 "quoted", <b>'
    await using visit = await openDashboard('/audit?action=key.created', {}, (api) => makeKey(api, name))
    const { page } = visit
    await page.getByText(name, { exact: false }).first().waitFor()
    const save = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ])
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
    }
    const csv = await save('Export CSV')
    expect(csv.name).toBe('audit.csv')
    expect(csv.text).toMatch(/^createdAt,action,userId,.*\r\n/)
    const lines = await save('Export JSON lines')
    const entries = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { detail: { name?: string } })
    expect(entries.some(({ detail }) => detail.name === name)).toBe(true)
  })

  it('shows hostile names as text', async () => {
    await using visit = await openDashboard('/audit', {}, async (api) => {
      for (const name of hostileNames) await makeKey(api, name.slice(0, 100))
    })
    for (const name of hostileNames.slice(0, 2))
      await visit.page.getByText(name.slice(0, 100), { exact: false }).first().waitFor()
    await expectNoBarriers(visit)
  })

  it('says which permission is missing', async () => {
    const { key } = await newKey({ slots: 1, scopes: ['task.read', 'account.read'] })
    await using visit = await startVisit(stack.url, { key, tolerates: /403/ })
    await visit.open('/audit')
    await visit.page.getByRole('alert').getByText('account.write').waitFor()
  })
})

describe('settings', () => {
  it('change language and theme by keyboard alone, which stay after a reload', async () => {
    await using visit = await openDashboard('/settings')
    const { page } = visit
    await page.getByLabel('Theme').waitFor()
    const keyboard = createKeyboard(page)
    await keyboard.type('Theme', 'Dark')
    await keyboard.type('Page language', 'Deu')
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await page.getByLabel('Sprache der Seite').selectOption('ar')
    await expect.poll(() => page.evaluate('document.documentElement.dir')).toBe('rtl')
    await expectNoBarriers(visit)
  })

  it('say at security that a key has no sessions', async () => {
    await using visit = await openDashboard('/settings')
    await visit.page.getByRole('link', { name: 'Security' }).click()
    await visit.page.getByText('Signed in with an API key').waitFor()
  })
})

describe.each(looks)('audit log and settings have no barriers ($theme, $width px)', (look) => {
  it('as they are', async () => {
    await using visit = await openDashboard('/audit', look, (api) => makeKey(api, 'shop'))
    await visit.page.getByText('key.created').last().waitFor()
    await expectNoBarriers(visit)
    await visit.open('/settings')
    await visit.page.getByLabel('Theme').waitFor()
    await expectNoBarriers(visit)
  })
})
