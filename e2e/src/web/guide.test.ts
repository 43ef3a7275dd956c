import { afterAll, expect, it } from 'vitest'
import { stack } from '../scenario.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

afterAll(closeBrowser)

// The first page, pages with tabs and tables, and one that is rendered from docs/.
const looks = [
  { path: '', theme: 'light', width: 1280 },
  { path: 'verify-webhooks/', theme: 'light', width: 360 },
  { path: 'accounts/', theme: 'dark', width: 1280 },
  { path: 'migrate/cloudconvert/', theme: 'dark', width: 360 },
] as const

/** Asks again for a while: the guide lets the keyboard scroll a wide block of code a quarter of a second after it is shown. */
const expectNoBarriers = (visit: Visit) => expect.poll(() => visit.barriers(), { timeout: 10_000 }).toEqual([])

/** How much wider than the window the page is. */
const overhang = ({ page }: Visit) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

it.each(looks)('shows /guide/$path in $theme colours, $width pixels wide, without barriers', async (look) => {
  await using visit = await startVisit(stack.url, look)
  await visit.open(`/guide/${look.path}`)
  await visit.page.locator('h1').waitFor()
  expect(await visit.page.locator('html').getAttribute('data-theme')).toBe(look.theme)
  expect(await overhang(visit)).toBe(0)
  await expectNoBarriers(visit)
})

it('finds pages by their words without asking anybody else', async () => {
  await using visit = await startVisit(stack.url)
  await visit.open('/guide/')
  await visit.page.getByRole('button', { name: 'Search' }).click()
  await visit.page.getByPlaceholder('Search').fill('hash_equals')
  const results = visit.page.locator('#starlight__search .pagefind-ui__result-link')
  await results.first().waitFor()
  await expectNoBarriers(visit)
  await results.first().click()
  await visit.page.waitForURL('**/guide/verify-webhooks/**')
})

it('keeps the chosen tab and colours from page to page', async () => {
  await using visit = await startVisit(stack.url, { theme: 'light' })
  await visit.open('/guide/jobs/')
  await visit.page.getByRole('tab', { name: 'TypeScript' }).first().click()
  await visit.page.getByLabel('Select theme').first().selectOption('dark')
  await visit.open('/guide/options/')
  expect(await visit.page.getByRole('tab', { name: 'TypeScript' }).first().getAttribute('aria-selected')).toBe('true')
  expect(await visit.page.locator('html').getAttribute('data-theme')).toBe('dark')
  // The colours of code are classes, since the policy forbids style attributes.
  const colours = await visit.page.evaluate<number>(
    `new Set([...document.querySelectorAll('.ec-line span[class]')].map((span) => getComputedStyle(span).color)).size`,
  )
  expect(colours).toBeGreaterThan(3)
})

it('has its pages as Markdown, and a list of them', async () => {
  const list = await (await fetch(`${stack.url}/guide/llms.txt`)).text()
  const links = [...list.matchAll(/\]\((\/guide\/[^)]+\.md)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(30)
  for (const link of links) {
    const response = await fetch(`${stack.url}${link}`)
    expect([link, response.status, response.headers.get('content-type')]).toEqual([
      link,
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(await response.text(), link).toMatch(/^# \S/)
  }
  const jobs = await (await fetch(`${stack.url}/guide/jobs.md`)).text()
  expect(jobs).toContain('**TypeScript**')
  expect(jobs).not.toMatch(/<Tab|^import .*starlight|\{\/\*/m)
})
