import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { sends, startFileServer } from '../file-server.ts'
import { newKey, stack } from '../scenario.ts'
import { fileOf } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, startVisit, type Visit, type VisitOptions } from './visit.ts'

afterAll(closeBrowser)

async function openTool(name: string, options: VisitOptions = {}): Promise<Visit> {
  const { key } = await newKey()
  const visit = await startVisit(stack.url, { key, ...options })
  await visit.open('/tools')
  await visit.page.getByRole('link', { name }).click()
  await visit.page.getByRole('heading', { level: 1, name }).waitFor()
  return visit
}

describe('the page of an operation', () => {
  it('takes files with a role, and options, and gives the result', async () => {
    await using visit = await openTool('Add watermarks')
    const { page } = visit
    const photo = fileOf('photo-40k.jpg', 'holiday.jpg')
    await page.getByLabel('Files', { exact: true }).setInputFiles(photo)
    await page.getByLabel('Overlay (optional)').setInputFiles(photo)
    await page.getByLabel('Position').selectOption('bottom_right')
    expect(await visit.barriers()).toEqual([])
    await page.getByRole('button', { name: 'Start' }).click()
    const link = page.getByRole('link', { name: 'Download holiday.jpg' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const bytes = await readFile(await download.path())
    expect([download.suggestedFilename(), bytes.toString('hex', 0, 3)]).toEqual(['holiday.jpg', 'ffd8ff'])
    expect(await visit.barriers()).toEqual([])
  })

  it('offers the formats of the result, and packs files of any kind', async () => {
    await using visit = await openTool('Make archives')
    const { page } = visit
    const files = [fileOf('photo-40k.jpg', 'a.jpg'), { name: 'b.exe', mimeType: '', buffer: Buffer.from('any') }]
    await page.getByLabel('Files', { exact: true }).setInputFiles(files)
    await page.getByLabel('Format of the result').selectOption('tar.gz')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('link', { name: /^Download .*\.tar\.gz$/ }).waitFor()
  })

  it('is found, filled in and started by keyboard alone', async () => {
    const { key } = await newKey()
    await using visit = await startVisit(stack.url, { key })
    const { page } = visit
    await visit.open('/tools')
    const keyboard = createKeyboard(page)
    await page.getByRole('link', { name: 'Rotate pages' }).waitFor()
    await keyboard.press(/^Rotate pages/)
    await page.getByRole('heading', { level: 1, name: 'Rotate pages' }).waitFor()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Files')])
    await chooser.setFiles(fileOf('two-pages.pdf', 'letter.pdf'))
    await keyboard.press('Start')
    await page.getByRole('link', { name: 'Download letter.pdf' }).waitFor()
    await keyboard.tabTo('Download letter.pdf')
  })

  it('fits on a phone, whatever files are called', async () => {
    await using visit = await openTool('Split files', { width: 390 })
    const { page } = visit
    const name = `${'a long name '.repeat(12)}.flac`
    await page.getByLabel('Files', { exact: true }).setInputFiles(fileOf('tone.flac', name))
    await page.getByLabel('Length').fill('1')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('link', { name: /-2\.flac$/ }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await visit.barriers()).toEqual([])
  })

  it('says what is wrong', async () => {
    await using visit = await openTool('Add watermarks', { tolerates: /status of 400/ })
    const { page } = visit
    await page.getByLabel('Files', { exact: true }).setInputFiles(fileOf('photo-40k.jpg', 'holiday.jpg'))
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('alert').filter({ hasText: 'must have text' }).waitFor()
  })

  it('takes the address of a page instead of files, and asks only for what its format needs', async () => {
    const html = '<!DOCTYPE html><title>Prices</title><h1>Prices</h1>'
    const sent = sends(Buffer.from(html), { 'content-type': 'text/html; charset=utf-8' })
    await using server = await startFileServer({ '/page': sent })
    await using visit = await openTool('Capture a web page', { tolerates: /status of 400/ })
    const { page } = visit
    const start = page.getByRole('button', { name: 'Start' })
    expect(await start.isDisabled()).toBe(true)
    await page.getByLabel('URL', { exact: true }).fill('prices')
    await start.click()
    await page.getByRole('alert').filter({ hasText: 'url' }).waitFor()
    await page.getByLabel('URL', { exact: true }).fill(`${server.url}/page`)
    await page.getByLabel('Paper size', { exact: true }).waitFor()
    await page.getByLabel('Output format', { exact: true }).selectOption('png')
    await page.getByLabel('Paper size', { exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('Viewport width', { exact: true }).fill('320')
    expect(await visit.barriers()).toEqual([])
    await start.click()
    const link = page.getByRole('link', { name: 'Download Prices.png' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const bytes = await readFile(await download.path())
    expect(bytes.readUInt32BE(16)).toBe(320)
  })
})
