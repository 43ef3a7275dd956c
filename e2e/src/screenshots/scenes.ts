import { readFileSync } from 'node:fs'
import { type FixtureName, fixturePath } from '../../../fixtures/fixtures.ts'
import type { Visit } from '../web/visit.ts'

const file = (fixture: FixtureName, name: string, mimeType = 'application/octet-stream') => ({
  name,
  mimeType,
  buffer: readFileSync(fixturePath(fixture)),
})

const mixed = [
  file('photo-100k.jpg', 'IMG_20260812_sunset.jpg', 'image/jpeg'),
  file('photo.webp', 'team-photo.webp', 'image/webp'),
  file(
    'alpha.png',
    'diagram-final-final-v7 (copy) with a name that is much longer than any column can be.png',
    'image/png',
  ),
  file('letter.docx', 'Quarterly report.docx'),
  file('table.xlsx', 'Budget 2027.xlsx'),
  file('clip.mp4', 'interview.mp4', 'video/mp4'),
]

async function add({ page }: Visit, files: typeof mixed): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(files)
  await page.locator('article').first().waitFor()
}

const primary = '.bg-accent:not([role=progressbar] *)'

/** The scenes, each in its own browser. */
export const scenes: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
  empty: async (visit) => {
    await visit.open('/')
    await visit.page.locator('h1').waitFor()
  },
  staged: async (visit) => {
    await visit.open('/')
    await add(visit, mixed)
    await visit.page.waitForTimeout(800)
  },
  picker: async (visit) => {
    await visit.open('/')
    await add(visit, mixed.slice(0, 3))
    await visit.page.waitForTimeout(500)
    await visit.page.locator('header [role=combobox], header [aria-haspopup]').last().click()
    await visit.page.waitForTimeout(300)
  },
  options: async (visit) => {
    await visit.open('/')
    await add(visit, mixed.slice(0, 1))
    await visit.page.waitForTimeout(500)
    await visit.page.locator('article button').nth(1).click()
    await visit.page.locator('form select').first().waitFor()
  },
  'options-preset': async (visit) => {
    await scenes.options?.(visit)
    await visit.page.locator('form input[inputmode=decimal]').first().fill('60')
    await visit.page.locator('button:has(.lucide-bookmark-plus)').click()
    await visit.page.locator('[role=dialog] form input').first().fill('Small for the web')
  },
  done: async (visit) => {
    await visit.open('/')
    await add(visit, mixed)
    await visit.page.waitForTimeout(800)
    await visit.page.locator(`.fixed ${primary}`).last().click()
    await visit.page.locator('article a[download]').nth(4).waitFor({ timeout: 60_000 })
    await visit.page.waitForTimeout(2000)
  },
  result: async (visit) => {
    await visit.open('/')
    await add(visit, [file('two-pages.pdf', 'Quarterly report.pdf')])
    await visit.page.waitForTimeout(800)
    await visit.page.locator('article [role=combobox]').click()
    await visit.page.locator('[role=option]').filter({ hasText: /^PDF/ }).click()
    await visit.page.locator(`.fixed ${primary}`).last().click()
    await visit.page.locator('article button:has(.lucide-eye)').click({ timeout: 60_000 })
    await visit.page.locator('[role=dialog] img').waitFor({ timeout: 60_000 })
    await visit.page.locator('[role=dialog] button').nth(2).waitFor()
  },
  failed: async (visit) => {
    await visit.open('/')
    await add(visit, [
      { ...file('photo-40k.jpg', 'broken.jpg'), buffer: Buffer.from('no picture at all') },
      file('photo-40k.jpg', 'good.jpg'),
      { ...file('photo-40k.jpg', 'notes.unknown'), buffer: Buffer.from('?') },
    ])
    await visit.page.waitForTimeout(800)
    await visit.page.locator(`.fixed ${primary}`).last().click()
    await visit.page.locator('[role=alert]').waitFor({ timeout: 60_000 })
    await visit.page.locator('article a[download]').first().waitFor()
  },
  merge: async (visit) => {
    await visit.open('/')
    await add(visit, mixed.slice(0, 3))
    await visit.page.locator('.fixed button:has(.lucide-combine)').click()
    await visit.page.locator('[role=dialog] li').first().waitFor()
  },
  crop: async (visit) => {
    await visit.open('/')
    await add(visit, mixed.slice(0, 1))
    await visit.page.locator('article button:has(.lucide-crop)').click()
    await visit.page.locator('[role=dialog] input[type=number]').nth(2).fill('500')
    await visit.page.locator('[role=dialog] input[type=number]').first().fill('100')
  },
  trim: async (visit) => {
    await visit.open('/')
    await add(visit, mixed.slice(5))
    await visit.page.locator('article button:has(.lucide-scissors)').click()
    await visit.page.locator('[role=dialog] input[type=range]').first().press('ArrowRight')
  },
  share: async (visit) => {
    await visit.open('/')
    await add(visit, mixed.slice(0, 2))
    await visit.page.waitForTimeout(800)
    await visit.page.locator(`.fixed ${primary}`).last().click()
    await visit.page.locator('article a[download]').nth(1).waitFor({ timeout: 60_000 })
    await visit.page.locator('.fixed button:has(.lucide-share-2)').click()
    await visit.page.locator(`[role=dialog] ${primary}`).click()
    await visit.page.locator('[role=dialog] svg[role=img]').waitFor()
  },
  shared: async (visit) => {
    await scenes.share?.(visit)
    const link = new URL(await visit.page.locator('[role=dialog] input[readonly]').inputValue())
    await visit.open(`${link.pathname}${link.hash}`)
    await visit.page.reload()
    await visit.page.locator('main li').nth(1).waitFor()
  },
  'sign-in': async (visit) => {
    await visit.open('/sign-in')
    await visit.page.locator('form').waitFor()
  },
}
