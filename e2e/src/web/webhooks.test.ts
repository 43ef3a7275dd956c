import type { WebhookWithSecret } from '@lathe/contract'
import { answersWith, startReceiver } from '@lathe/testing'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { expectNoBarriers, hostileNames, looks, openDashboard } from './dashboard-visit.ts'
import { closeBrowser } from './visit.ts'

afterAll(closeBrowser)

const make = async (api: Client, url: string, more: object = {}) =>
  (await api.post<WebhookWithSecret>('/v1/webhooks', { url, ...more })).body
const upload = { file: { operation: 'import/upload' } }

describe('webhooks', () => {
  it('are made by keyboard alone; the secret is shown once and signs what is sent', async () => {
    await using receiver = await startReceiver(answersWith(204))
    await using visit = await openDashboard('/webhooks')
    const { page, api } = visit
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'Create webhook' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').waitFor()
    await page.keyboard.type(receiver.url)
    await page.keyboard.press('Tab')
    await page.keyboard.type('the shop')
    await dialog.getByLabel('job.created').focus()
    await page.keyboard.press('Space')
    expect(await visit.barriers()).toEqual([])
    await dialog.getByLabel('URL').press('Enter')
    await dialog.getByText('It is not shown again').waitFor()
    expect(await dialog.locator('pre').first().textContent()).toMatch(/^whsec_/)
    expect(await visit.barriers()).toEqual([])
    await page.keyboard.press('Escape')
    const row = page.getByRole('listitem').filter({ hasText: receiver.url })
    await row.getByText('the shop · job.created, job.completed, job.failed').waitFor()
    await api.createJob(upload)
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1)
  })

  it('say what is wrong with an address', async () => {
    await using visit = await openDashboard('/webhooks', { tolerates: /400/ })
    const { page } = visit
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    await page.getByRole('dialog').getByLabel('URL').fill('ftp://example.com/x')
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('dialog').getByRole('alert').getByText(/^url /).waitFor()
  })

  it('are changed, turned off and on, given another secret, and deleted after a question', async () => {
    await using visit = await openDashboard('/')
    const { page, api } = visit
    const { id } = await make(api, 'https://hooks.example/one', { description: 'before' })
    await visit.open(`/webhooks/${id}`)
    await page.getByText('Nothing sent yet').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('after')
    await dialog.getByLabel('task.failed').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('after', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Turned off', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'New secret' }).click()
    await dialog.locator('pre', { hasText: 'whsec_' }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('can no longer be read').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No webhooks yet').waitFor()
  })

  it('show hostile descriptions and addresses as text', async () => {
    await using visit = await openDashboard('/webhooks', {}, async (api) => {
      for (const [n, name] of hostileNames.entries())
        await make(api, `https://hooks.example/${n}?<b>"&x=${n}`, { description: name.slice(0, 200) })
    })
    await visit.page.getByText(hostileNames[0], { exact: false }).waitFor()
    await visit.page.getByText(hostileNames[1], { exact: false }).waitFor()
    await expectNoBarriers(visit)
  })
})

describe('deliveries', () => {
  it('show a test with its answer, narrowed by status, and are sent again', async () => {
    await using receiver = await startReceiver(answersWith(500))
    await using visit = await openDashboard('/')
    const { page, api } = visit
    const { id } = await make(api, receiver.url)
    await visit.open(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Send test' }).click()
    const row = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first()
    await row.getByText('1 try · HTTP 500').waitFor()
    await row.getByText('Failed', { exact: true }).waitFor()
    await row.locator('summary').click()
    await row.getByText('webhook-id').waitFor()
    await expectNoBarriers(visit)
    await row.getByRole('button', { name: 'Deliver again' }).click()
    await page.getByText('replay', { exact: true }).waitFor()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2)
    await page.getByLabel('Status').selectOption('delivered')
    await page.getByText('No delivery matches').waitFor()
  })
})

describe.each(looks)('webhooks have no barriers ($theme, $width px)', (look) => {
  it('in the list and on the page of one', async () => {
    await using visit = await openDashboard('/webhooks', look, (api) =>
      make(api, `https://hooks.example/${'a-long-path/'.repeat(12)}`, { description: 'the shop' }),
    )
    await visit.page.getByText('the shop').waitFor()
    await expectNoBarriers(visit)
    await visit.page.getByRole('link', { name: /hooks\.example/ }).click()
    await visit.page.getByText('Nothing sent yet').waitFor()
    await expectNoBarriers(visit)
  })
})
