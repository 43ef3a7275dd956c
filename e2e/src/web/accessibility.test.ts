import { afterAll, describe, expect, it } from 'vitest'
import { stack } from '../scenario.ts'
import { choose, fileOf, openConverter } from './files.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

afterAll(closeBrowser)

const states: Readonly<Record<string, (visit: Visit) => Promise<unknown>>> = {
  '/ without files': ({ page }) => page.getByRole('heading', { level: 1 }).waitFor(),
  '/ with files': async (visit) => {
    await choose(visit, fileOf('photo-40k.jpg'), fileOf('letter.docx'), { ...fileOf('alpha.png'), name: 'a.unknown' })
    await visit.page.getByRole('combobox', { name: /^Documents: convert to/ }).waitFor()
  },
  '/ with the list of formats': async (visit) => {
    await choose(visit, fileOf('photo-40k.jpg'))
    await visit.page.getByRole('combobox', { name: /^Images: convert to/ }).click()
    await visit.page.getByRole('option', { name: /^PNG/ }).waitFor()
  },
  '/ with options': async (visit) => {
    await choose(visit, fileOf('photo-40k.jpg'))
    await visit.page.getByRole('button', { name: 'Options of photo-40k.jpg' }).click()
    await visit.page.getByRole('switch').first().waitFor()
  },
  '/ with results and failures': async (visit) => {
    await choose(visit, fileOf('photo-40k.jpg'), { ...fileOf('photo-40k.jpg', 'broken.png'), buffer: Buffer.from('x') })
    await visit.page.getByRole('button', { name: 'Convert 2 files' }).click()
    await visit.page.getByRole('alert').waitFor()
    await visit.page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  },
}

const all = (['light', 'dark'] as const).flatMap((theme) => [360, 1280].map((width) => ({ theme, width })))
const looks =
  process.env.LATHE_TEST_SIZE === 'sample'
    ? all.filter(({ theme, width }) => (theme === 'dark') === (width === 360))
    : all

async function expectNoBarriers(visit: Visit): Promise<void> {
  expect(await visit.barriers()).toEqual([])
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
}

describe.each(Object.keys(states))('%s', (name) => {
  it.each(looks)('has no barriers ($theme, $width px)', async ({ theme, width }) => {
    await using visit = await openConverter({ theme, width })
    await states[name]?.(visit)
    await expectNoBarriers(visit)
  })
})

it.each(looks)('/sign-in has no barriers ($theme, $width px)', async ({ theme, width }) => {
  await using visit = await startVisit(stack.url, { theme, width })
  await visit.open('/sign-in')
  await visit.page.getByLabel('API key').waitFor()
  await expectNoBarriers(visit)
})

it('a barrier would be found', async () => {
  await using visit = await startVisit(stack.url)
  await visit.open('/sign-in')
  await visit.page.getByLabel('API key').waitFor()
  await visit.page.evaluate(`document.querySelector('main').append(document.createElement('button'))`)
  expect(await visit.barriers()).toEqual(['button-name: <button></button>'])
})
