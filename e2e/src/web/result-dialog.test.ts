import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectNoBarriers, looks } from './dashboard-visit.ts'
import { choose, fileOf, noise, openConverter, type PageFile } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, type Visit, type VisitOptions } from './visit.ts'

afterAll(closeBrowser)

/** Converts a file, and leaves the browser on the list. */
async function convert(file: PageFile, target: string, options: VisitOptions = {}): Promise<Visit> {
  const visit = await openConverter(options)
  const { page } = visit
  await choose(visit, file)
  await page.getByRole('combobox', { name: `Convert ${file.name} to` }).click()
  await page.getByRole('option', { name: new RegExp(`^${target}`) }).click()
  await page.getByRole('button', { name: 'Convert 1 file' }).click()
  await page.getByRole('button', { name: `Show the result of ${file.name}` }).waitFor({ timeout: 50_000 })
  return visit
}

/** Opens the dialog by the button of the row. */
async function show({ page }: Visit, name: string) {
  await page.getByRole('button', { name: `Show the result of ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Result' })
  await dialog.waitFor()
  return dialog
}

/** The size of a shown image, after it has been decoded. */
const sizeOf = (page: Page) =>
  page.evaluate<readonly number[]>(`(async () => {
    const image = document.querySelector('[role=dialog] img')
    await image.decode()
    return [image.naturalWidth, image.naturalHeight, image.clientWidth]
  })()`)

describe('the dialog of a result', () => {
  it('shows an image large, opened by its thumbnail', async () => {
    await using visit = await convert(fileOf('photo-100k.jpg', 'holiday.jpg'), 'WEBP')
    const { page } = visit
    await page.locator('article [aria-hidden=true] img').click()
    const dialog = page.getByRole('dialog', { name: 'Result' })
    await dialog.getByText('holiday.webp', { exact: true }).waitFor()
    await dialog.locator('img').waitFor()
    const [width = 0, , shown = 0] = await sizeOf(page)
    expect(shown).toBeGreaterThan(300)
    expect(width).toBeGreaterThan(300)
    await dialog.getByText(/^WEBP · .* kB$/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('holiday.webp')
  })

  it('shows a PDF page by page up to its last one, by keyboard alone', async () => {
    await using visit = await convert(fileOf('two-pages.pdf', 'report.pdf'), 'PDF')
    const { page } = visit
    const keyboard = createKeyboard(page)
    await keyboard.press('Show the result of report.pdf')
    const dialog = page.getByRole('dialog', { name: 'Result' })
    await dialog.getByText('Page 1 of 2').waitFor()
    const image = dialog.locator('img')
    await image.waitFor({ timeout: 50_000 })
    const first = await image.getAttribute('src')
    await keyboard.press('Next page')
    await dialog.getByText('Page 2 of 2').waitFor()
    await image.waitFor({ timeout: 50_000 })
    expect(await image.getAttribute('src')).not.toBe(first)
    // There is no further page, and asking for one would be an error in the console.
    await page.keyboard.press('Enter')
    await dialog.getByText('Page 2 of 2').waitFor()
    await keyboard.press('Previous page')
    await dialog.getByText('Page 1 of 2').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const focused = page.getByRole('button', { name: 'Show the result of report.pdf' })
    await expect
      .poll(() => page.evaluate(`document.activeElement.ariaLabel`))
      .toBe(await focused.getAttribute('aria-label'))
  })

  it('shows the slides of a presentation, whose number it reads from the file', async () => {
    await using visit = await convert(fileOf('slides.odp', 'talk.odp'), 'PPTX')
    const dialog = await show(visit, 'talk.odp')
    await dialog.getByText('Page 1 of 3').waitFor()
    await dialog.getByRole('button', { name: 'Next page' }).click()
    await dialog.getByText('Page 2 of 3').waitFor()
    await dialog.locator('img').waitFor({ timeout: 50_000 })
  })

  it('shows the first page of a document that does not say how many it has', async () => {
    await using visit = await convert({ ...fileOf('table.xlsx'), name: 'budget.xlsx' }, 'ODS')
    const dialog = await show(visit, 'budget.xlsx')
    await dialog.locator('img').waitFor({ timeout: 50_000 })
    await dialog.getByText('This is the first page.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Next page' }).count()).toBe(0)
  })

  it('plays audio', async () => {
    await using visit = await convert({ name: 'talk.wav', mimeType: 'audio/wav', buffer: noise(2) }, 'FLAC')
    const dialog = await show(visit, 'talk.wav')
    await dialog.locator('audio').waitFor()
    const played = `(async () => {
      const player = document.querySelector('[role=dialog] audio')
      const ended = new Promise((resolve) => player.addEventListener('ended', resolve))
      await player.play()
      await ended
      return player.duration
    })()`
    expect(await visit.page.evaluate(played)).toBeCloseTo(2, 1)
  })

  it('plays video', async () => {
    await using visit = await convert(fileOf('clip.mp4', 'video.mp4'), 'WEBM')
    const dialog = await show(visit, 'video.mp4')
    await dialog.locator('video').waitFor()
    const played = `(async () => {
      const player = document.querySelector('[role=dialog] video')
      player.muted = true
      await player.play()
      return [player.paused, player.videoWidth > 0]
    })()`
    expect(await visit.page.evaluate(played)).toEqual([false, true])
  })

  it('shows an image of what the browser cannot play', async () => {
    await using visit = await convert(fileOf('clip.mp4', 'video.mp4'), 'WMV')
    const dialog = await show(visit, 'video.mp4')
    await dialog.getByText('The browser cannot play this file.').waitFor()
    await dialog.locator('img').waitFor({ timeout: 50_000 })
  })

  it('shows a text as text, and only the start of a long one', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ id: n, name: '<b>bold</b>' }))
    const file = { name: 'rows.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(rows)) }
    await using visit = await convert(file, 'CSV')
    const dialog = await show(visit, 'rows.json')
    await dialog.getByText('Only the first 262 kB are shown.').waitFor()
    const text = (await dialog.locator('pre').textContent()) ?? ''
    expect(text).toMatch(/^id,name\r?\n0,<b>bold<\/b>/)
    expect(text.length).toBe(256 * 1024)
    expect(await dialog.locator('b').count()).toBe(0)
  })

  it('says what it knows of a file that it cannot show', async () => {
    const buffer = Buffer.from('id,name\n1,Ada\n')
    await using visit = await convert({ name: 'people.csv', mimeType: 'text/csv', buffer }, 'PARQUET')
    const dialog = await show(visit, 'people.csv')
    await dialog.getByText('This type of file cannot be shown here.').waitFor()
    await dialog.getByText(/^PARQUET · \d/).waitFor()
    await dialog.getByRole('link', { name: 'Download' }).waitFor()
  })

  it('goes through the files of a result, which may be drawings', async () => {
    await using visit = await convert(fileOf('two-pages.pdf', 'report.pdf'), 'SVG')
    const dialog = await show(visit, 'report.pdf')
    await dialog.getByText('File 1 of 2').waitFor()
    const name = await dialog.locator('bdi').first().textContent()
    await dialog.getByRole('button', { name: 'Next file' }).click()
    await dialog.getByText('File 2 of 2').waitFor()
    expect(await dialog.locator('bdi').first().textContent()).not.toBe(name)
    await dialog.locator('img').waitFor()
    expect((await sizeOf(visit.page))[0]).toBeGreaterThan(0)
  })

  it.each(looks)('has no barriers ($theme, $width px)', async (look) => {
    await using visit = await convert(fileOf('two-pages.pdf', 'report.pdf'), 'PDF', look)
    const dialog = await show(visit, 'report.pdf')
    await dialog.locator('img').waitFor({ timeout: 50_000 })
    await dialog.getByText('Page 1 of 2').waitFor()
    await expectNoBarriers(visit)
  })
})
