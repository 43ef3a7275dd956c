import type { Preset } from '@lathe/contract'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { openDashboard } from './dashboard-visit.ts'
import { hostileNames } from './hostile-names.ts'
import { closeBrowser, type Visit } from './visit.ts'

afterAll(closeBrowser)

const isSample = process.env.LATHE_TEST_SIZE === 'sample'
// As long as the API allows for every kind of name.
const names = (isSample ? hostileNames.filter((_, n) => n % 4 === 0) : hostileNames).map((name) =>
  [...name].slice(0, 30).join(''),
)
// All rows are seen at once, so that all of them exist.
const tall = { height: 9000 }
const patient = { timeout: 10_000 }
const waiting = { photo: { operation: 'import/upload' } }

/** Creates something under every name. Returns the names as the API keeps them; it may refuse control characters. */
async function createAll<T>(create: (name: string) => Promise<{ status: number; body: T }>): Promise<readonly T[]> {
  const created: T[] = []
  for (const name of names) {
    const { status, body } = await create(name)
    if (status === 201) created.push(body)
    else expect([name, status, /\p{Cc}/u.test(name)]).toEqual([name, 400, true])
  }
  expect(created.length).toBeGreaterThan(names.length / 2)
  return created
}

/** The page shows every name as text, nothing came from one, and it is as wide as the window. */
async function expectOnlyText({ page }: Visit, shown: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const text = (await page.locator('main').textContent()) ?? ''
      return shown.filter((name) => !text.includes(name))
    }, patient)
    .toEqual([])
  const strangers = 'iframe, style, math, template, form[action], meta[http-equiv], [onerror], [onload], img[src=x]'
  expect(await page.locator('body').locator(strangers).count()).toBe(0)
  const linksElsewhere = `[...document.links].filter(({ origin }) => origin !== location.origin).length`
  expect(await page.evaluate(linksElsewhere)).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

describe.each([360, 1280])('hostile names in the dashboard (%i px)', (width) => {
  const open = async <T>(path: string, prepare: (api: Client) => Promise<readonly T[]>) => {
    let made: readonly T[] = []
    const visit = await openDashboard(path, { ...tall, width }, async (api) => {
      made = await prepare(api)
    })
    return { visit, made }
  }

  it('are text in the list of jobs, on the page of a job, and in the command palette', async () => {
    const { visit, made } = await open('/jobs', (api) =>
      createAll((tag) => api.post<{ id: string; tag: string }>('/v1/process/jobs', { tasks: waiting, tag })),
    )
    await using _closing = visit
    const { page } = visit
    const newest = made.slice(-10)
    await expectOnlyText(
      visit,
      newest.map(({ tag }) => tag),
    )
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    const optionsNow = () => page.getByRole('option').allTextContents()
    await expect
      .poll(async () => {
        const options = await optionsNow()
        return newest.filter(({ tag }) => options.some((option) => option.includes(tag))).length
      }, patient)
      .toBeGreaterThan(0)
    expect(await page.getByRole('dialog').locator('img, script, iframe, style').count()).toBe(0)
    for (const { id, tag } of newest.slice(0, 3)) {
      await visit.open(`/jobs/${id}`)
      await expectOnlyText(visit, [tag])
    }
  })

  it('are text in the list of presets, and in the dialog that changes one', async () => {
    const { visit, made } = await open('/presets', (api) =>
      createAll((name) => api.post<Preset>('/v1/presets', { name, operation: 'convert', output_format: 'webp' })),
    )
    await using _closing = visit
    await expectOnlyText(
      visit,
      made.map(({ name }) => name),
    )
    await visit.page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
    const value = await visit.page.getByRole('dialog').getByLabel('Name').inputValue()
    expect(made.map(({ name }) => name)).toContain(value)
  })

  it('are text in the list of API keys', async () => {
    const { visit, made } = await open('/keys', (api) =>
      createAll((name) => api.post<{ name: string }>('/v1/account/keys', { name, scopes: ['task.read'] })),
    )
    await using _closing = visit
    await expectOnlyText(
      visit,
      made.map(({ name }) => name),
    )
  })
})
