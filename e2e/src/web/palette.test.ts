import { afterAll, describe, expect, it } from 'vitest'
import { stack } from '../scenario.ts'
import { accounts } from './accounts.ts'
import { expectNoBarriers, hostileNames, looks, openDashboard } from './dashboard-visit.ts'
import { createPerson, signIn } from './people.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

const upload = { tasks: { file: { operation: 'import/upload' } } }

describe('the command palette', () => {
  it('goes to a page by keyboard alone, and gives the focus back when it is left', async () => {
    await using visit = await openDashboard('/jobs')
    const { page } = visit
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
    const focused = () => page.evaluate('document.activeElement.ariaLabel')
    await page.keyboard.press('Control+k')
    const input = page.getByRole('combobox', { name: 'Search pages, jobs and actions' })
    await expect.poll(focused).toBe('Search pages, jobs and actions')
    await page.keyboard.type('webh')
    expect(await page.getByRole('option').allTextContents()).toEqual(['Webhooks'])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    await input.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await expect.poll(focused).toBe('Search pages, jobs and actions')
    await page.keyboard.type('tools')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tools', exact: true }).waitFor()
    await input.waitFor({ state: 'detached' })

    const opener = page.getByRole('button', { name: 'Command palette' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Search pages, jobs and actions')
    await page.keyboard.type('nothing like it')
    await page.getByText('Nothing matches.').waitFor()
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Command palette')
  })

  it('finds a recent job by its tag, which is only text', async () => {
    const [tag] = hostileNames
    await using visit = await openDashboard('/', {}, (api) => api.post('/v1/process/jobs', { ...upload, tag }))
    const { page } = visit
    await page.getByRole('heading', { name: 'Convert files' }).waitFor()
    await page.keyboard.press('Meta+k')
    await page.getByRole('group', { name: 'Recent jobs' }).getByText(tag).waitFor()
    await page.keyboard.type('onerror')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/jobs\/[0-9a-f]{24}$/)
  })

  it('changes the colours, and goes around at both ends of its list', async () => {
    await using visit = await openDashboard('/usage')
    const { page } = visit
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowUp')
    const current = page.getByRole('option', { selected: true })
    expect(await current.textContent()).toBe('Sign out')
    await page.keyboard.press('ArrowDown')
    expect(await current.textContent()).toBe('Convert files')
    await page.keyboard.type('dark')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  it('offers who is not signed in what they may do', async () => {
    await using visit = await startVisit(stack.url)
    await visit.open('/')
    await visit.page.getByRole('heading', { name: 'Convert files' }).waitFor()
    await visit.page.getByRole('link', { name: 'Sign in' }).waitFor()
    await visit.page.keyboard.press('Control+k')
    await visit.page.getByRole('option', { name: 'Sign in' }).waitFor()
    expect(await visit.page.getByRole('option', { name: /keys|Sign out/ }).count()).toBe(0)
  })

  it('leads administrators to the instance, and nobody else', async () => {
    await using other = await openDashboard('/jobs')
    await other.page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
    await other.page.keyboard.press('Control+k')
    await other.page.getByRole('option', { name: 'Guide' }).waitFor()
    expect(await other.page.getByRole('option', { name: 'Instance' }).count()).toBe(0)

    const admin = await createPerson(accounts, 'admin@palette.example', { isAdmin: true })
    await using visit = await signIn(accounts.url, admin, '/jobs')
    await visit.page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
    await visit.page.keyboard.press('Control+k')
    await visit.page.getByRole('option', { name: 'Instance' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Instance' }).waitFor()
  })

  it.each(looks)('has no barriers ($theme, $width px)', async (look) => {
    const prepare = (api: Parameters<NonNullable<Parameters<typeof openDashboard>[2]>>[0]) =>
      api.post('/v1/process/jobs', { ...upload, tag: 'x'.repeat(100) })
    await using visit = await openDashboard('/settings', look, prepare)
    await visit.page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    await visit.page.keyboard.press('Control+k')
    await visit.page.getByRole('group', { name: 'Recent jobs' }).waitFor()
    await expectNoBarriers(visit)
  })
})

describe('the keyboard shortcuts', () => {
  it('are shown by ? and by the palette, and Escape closes them', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/')
    await page.getByRole('heading', { name: 'Convert files' }).waitFor()
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.keyboard.press('?')
    await list.getByText('Open the command palette').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const input = page.getByRole('combobox', { name: 'Search pages, jobs and actions' })
    await input.fill('shortcuts')
    await input.press('Enter')
    await list.waitFor()
  })

  it('are text where the user types', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/')
    await page.getByRole('button', { name: 'From a URL' }).click()
    const field = page.getByLabel('URL of the file')
    await field.fill('')
    await page.keyboard.type('https://example.com/a?b')
    expect(await field.inputValue()).toBe('https://example.com/a?b')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it.each(looks)('have no barriers ($theme, $width px)', async (look) => {
    await using visit = await startVisit(stack.url, look)
    await visit.open('/')
    await visit.page.getByRole('heading', { name: 'Convert files' }).waitFor()
    await visit.page.keyboard.press('?')
    await visit.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectNoBarriers(visit)
  })
})
