import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fixture, importFixture, newClient, outputOf } from '../scenario.ts'
import { choose, fileOf, noise, openConverter } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser } from './visit.ts'

afterAll(closeBrowser)

const photo = fileOf('photo-40k.jpg', 'holiday.jpg')

describe.each([
  [360, 740],
  [1280, 800],
  [1920, 1080],
])('on a screen of %i by %i pixels', (width, height) => {
  it('the first file is there with its controls, none of them behind the bar', async () => {
    await using visit = await openConverter({ width, height })
    const { page } = visit
    await choose(visit, photo, fileOf('alpha.png'), fileOf('letter.docx'))
    await page.getByRole('button', { name: 'Convert 3 files', disabled: false }).waitFor()
    const target = page.getByRole('combobox', { name: /^Convert holiday.jpg to/ })
    const remove = page.getByRole('button', { name: 'Remove holiday.jpg from the list' })
    for (const control of [target, remove]) {
      const { x = -1, y = -1, width: wide = 0, height: high = 0 } = (await control.boundingBox()) ?? {}
      const label = await control.getAttribute('aria-label')
      for (const at of [y + 1, y + high - 1]) {
        const top = `document.elementFromPoint(${x + wide / 2}, ${at})?.closest('button')?.getAttribute('aria-label')`
        expect(await page.evaluate(top)).toBe(label)
      }
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  })

  it('a cleared list comes back with its files, choices and results', async () => {
    await using visit = await openConverter({ width, height })
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await choose(visit, fileOf('alpha.png'))
    await page.getByRole('button', { name: 'Clear the list' }).click()
    await page.getByText('2 files removed from the list').waitFor()
    expect(await page.getByRole('article').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('article', { name: 'alpha.png' }).waitFor()
    await page.getByRole('link', { name: 'Download the result of holiday.jpg' }).waitFor()
    // A reload has it again, too, with what was not sent yet.
    await page.reload()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('2 of 2 done').waitFor()
  })
})

describe('names of downloads', () => {
  it('are those of the file that was taken apart, and of what a batch is', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, fileOf('two-pages.pdf', 'basicapi.pdf'))
    await page.getByRole('combobox', { name: /^Convert basicapi.pdf to/ }).click()
    await page.getByRole('option', { name: /^JPG/ }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const link = page.getByRole('link', { name: 'Download', exact: true })
    const [pages] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(pages.suggestedFilename()).toBe('basicapi.zip')
    await page.getByRole('button', { name: 'Clear the list' }).click()
    await choose(visit, photo, fileOf('alpha.png'))
    await page.getByRole('button', { name: 'Convert 2 files' }).click()
    const all = page.getByRole('button', { name: 'Download all (ZIP)' })
    await page.getByText('2 of 2 done').waitFor()
    const [batch] = await Promise.all([page.waitForEvent('download'), all.click()])
    expect(batch.suggestedFilename()).toBe('Images.zip')
  })
})

describe('a folder', () => {
  it('is listed in the order that people count in', async () => {
    await using own = new AsyncDisposableStack()
    const place = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-folder-')), (made) => rm(made, { recursive: true }))
    const names = ['photo 2.jpg', 'photo 10.jpg', 'photo 1.jpg']
    for (const day of ['day 10', 'day 9']) {
      await mkdir(join(place, 'album', day), { recursive: true })
      for (const name of names) await writeFile(join(place, 'album', day, name), fixture('photo-40k.jpg'))
    }
    await using visit = await openConverter({ height: 1200 })
    const { page } = visit
    await page.locator('input[webkitdirectory]').setInputFiles(join(place, 'album'))
    await page.getByRole('button', { name: 'Convert 6 files' }).waitFor()
    const titles = await page.evaluate(`[...document.querySelectorAll('article p[title]')].map(({ title }) => title)`)
    const expected = ['day 9', 'day 10'].flatMap((day) =>
      ['photo 1.jpg', 'photo 2.jpg', 'photo 10.jpg'].map((name) => `album/${day}/${name}`),
    )
    expect(titles).toEqual(expected)
  })
})

describe('an upload', () => {
  it('shows its size, speed and time left, and what happens after the last byte', async () => {
    await using visit = await openConverter()
    const { page, context } = visit
    const session = await context.newCDPSession(page)
    await choose(visit, { name: 'long.wav', mimeType: 'audio/wav', buffer: noise(90) })
    await page.getByRole('button', { name: 'Convert 1 file', disabled: false }).waitFor()
    const upload = 2_000_000
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: upload }
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', conditions)
    await page.evaluate(`{
      window.seen = new Set()
      const look = () => seen.add(document.querySelector('article')?.textContent ?? '')
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    }`)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText(/[\d.]+ (kB|MB) of 7\.9 MB · [\d.]+ (kB|MB)\/s · \d+ secs? left/).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\d+% · Convert files · Lathe$/)
    await page.getByText('1 of 1 done').waitFor()
    const seen = await page.evaluate<string[]>('[...seen]')
    expect(seen.some((text) => text.includes('Sent, saving on the server'))).toBe(true)
    expect(seen.some((text) => text.includes('Sending 100%'))).toBe(false)
    expect(await page.title()).toBe('Convert files · Lathe')
  })
})

describe('a password', () => {
  it('that is wrong is called wrong', async () => {
    await using visit = await openConverter()
    const { page } = visit
    const api = await newClient()
    const input = (await importFixture(api, 'two-pages.pdf')).id
    const locked = await outputOf(api, await api.run('encrypt', { input, options: { output_password: 'right' } }))
    await choose(visit, { name: 'locked.pdf', mimeType: 'application/pdf', buffer: locked })
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('The file is protected by a password. Enter it to convert the file.').waitFor()
    const field = page.getByLabel('Password of the file')
    await field.fill('wrong')
    await field.press('Enter')
    await page.getByText('This password is wrong.').waitFor()
    await field.fill('right')
    await field.press('Enter')
    await page.getByText('1 of 1 done').waitFor()
  })
})

describe('the keyboard', () => {
  it('converts with Ctrl+Enter, but not from a dialog, and keeps its place when a button is gone', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file', disabled: false }).waitFor()
    await page.getByRole('button', { name: 'Options of holiday.jpg' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Convert 1 file' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 of 1 done').waitFor()
    await choose(visit, fileOf('alpha.png'))
    const { tabTo } = createKeyboard(page)
    await tabTo(/^Convert 1 file/)
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2 done').waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('P')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Clear the list')
  })
})

describe('the dialog that merges', () => {
  it('says which files it leaves out', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo, fileOf('two-pages.pdf'), fileOf('letter.docx'))
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('Left out: letter.docx').waitFor()
    await page.getByRole('button', { name: 'Merge 2 files' }).waitFor()
  })
})
