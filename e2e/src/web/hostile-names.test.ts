import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { openZip } from '../outputs.ts'
import { fileOf, openConverter } from './files.ts'
import { hostileNames } from './hostile-names.ts'
import { closeBrowser, type Visit } from './visit.ts'

afterAll(closeBrowser)

const isSample = process.env.LATHE_TEST_SIZE === 'sample'
const photo = fileOf('rotated-exif.jpg')
// All rows are seen at once, so that all of them exist.
const tall = { height: 7000 }

/** What a browser makes of a name before a page sees it: the same, except that it is one name. */
async function add(visit: Visit, names: readonly string[]): Promise<void> {
  const content = photo.buffer.toString('base64')
  await visit.page.evaluate(
    `(async () => {
      const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64('${content}') : Uint8Array.from(atob('${content}'), (c) => c.charCodeAt(0))
      const transfer = new DataTransfer()
      for (const name of ${JSON.stringify(names)}) transfer.items.add(new File([bytes], name))
      const input = document.querySelector('input[type=file]')
      input.files = transfer.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })()`,
  )
  await visit.page
    .getByRole('article')
    .nth(names.length - 1)
    .waitFor()
}

/** What the page must look like whatever the names are: rows with text, and nothing that came from a name. */
async function expectOnlyText(visit: Visit, names: readonly string[]): Promise<void> {
  const { page } = visit
  const rows = page.getByRole('article')
  const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')))
  const texts = await rows.evaluateAll((all) => all.map((row) => row.querySelector('bdi')?.textContent))
  for (const shown of [labels, texts]) expect(names.filter((name, n) => shown[n] !== name)).toEqual([])
  const strangers = 'iframe, style, math, template, form[action], meta[http-equiv], [onerror], [onload], img[src=x]'
  expect(await page.locator('body').locator(strangers).count()).toBe(0)
  expect(await page.locator('article a:not([download])').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
}

describe('hostile names', () => {
  it('are 60, and no two alike', () => {
    expect(new Set(hostileNames).size).toBe(60)
  })

  it.each([360, 1280])('are text in the list of files (%i px)', async (width) => {
    await using visit = await openConverter({ ...tall, height: 11_000, width })
    await add(visit, hostileNames)
    await expectOnlyText(visit, hostileNames)
    // A reload reads them from the database of the browser.
    await visit.page.waitForTimeout(600)
    await visit.page.reload()
    await visit.page
      .getByRole('article')
      .nth(hostileNames.length - 1)
      .waitFor()
    await expectOnlyText(visit, hostileNames)
  })

  it('are text in the dialog of every file', async () => {
    await using visit = await openConverter(tall)
    const { page } = visit
    const names = isSample ? hostileNames.filter((_, n) => n % 6 === 0) : hostileNames
    await add(visit, names)
    for (const [n, name] of names.entries()) {
      const row = page.getByRole('article').nth(n)
      await row.getByRole('button').first().click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.locator('bdi').first().textContent()).toBe(name)
      expect(await dialog.locator('img, script, iframe, a').count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  })

  it('become safe names of downloads, alone and in a ZIP', async () => {
    await using visit = await openConverter(tall)
    const { page } = visit
    const names = isSample ? hostileNames.filter((_, n) => n % 5 === 0) : hostileNames
    await add(visit, names)
    await page.getByRole('button', { name: `Convert ${names.length} files` }).click()
    await page.getByText(`${names.length} of ${names.length} done`).waitFor({ timeout: 240_000 })
    await expectOnlyText(visit, names)

    const links = page.locator('article a[download]')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const headers = await page.evaluate(`Promise.all(${JSON.stringify(paths)}.map(async (path) => {
      const { headers } = await fetch(path, { method: 'HEAD' })
      return [...headers].map(([name, value]) => name + ': ' + value).join('\\n')
    }))`)
    for (const text of headers as string[]) {
      expect(text).toContain('content-disposition: attachment')
      expect(text).toContain('content-type: application/octet-stream')
      expect(text).not.toContain('x-injected')
    }
    for (const n of [0, 1, names.length - 1]) {
      const [download] = await Promise.all([page.waitForEvent('download'), links.nth(n).click()])
      expectSafe(download.suggestedFilename())
    }
    const all = page.getByRole('button', { name: 'Download all (ZIP)' })
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), all.click()])
    const zip = await openZip(await readFile(await download.path()))
    expect(zip.size).toBe(names.length)
    for (const name of zip.keys()) expectSafe(name)

    await page
      .getByRole('button', { name: /^Compare/ })
      .first()
      .click()
    expect(await page.getByRole('dialog').locator('bdi').first().textContent()).toBe(names[0])
  }, 300_000)
})

function expectSafe(name: string): void {
  expect(name).toMatch(/\.webp$/)
  expect(name).not.toMatch(/[/\\\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
}
