import { readFile } from 'node:fs/promises'
import type { Job, Page } from '@lathe/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { newKey, stack } from '../scenario.ts'
import { choose, fileOf, noise, openConverter } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

const photo = fileOf('photo-100k.jpg', 'holiday.jpg')

describe('the converter page', () => {
  it('converts a file in three steps: add, convert, download', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const link = page.getByRole('link', { name: 'Download', exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('holiday.webp')
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
  })

  it('groups mixed files by kind, converts each kind to its own target, and packs all into one ZIP', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo, fileOf('alpha.png'), fileOf('letter.docx'))
    await page.getByRole('heading', { name: 'Documents' }).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Images', 'Documents'])
    await page.getByRole('combobox', { name: /^Images: convert to/ }).click()
    await page.getByRole('combobox', { name: 'Search formats' }).fill('avif')
    await page.getByRole('option', { name: /AVIF/ }).click()
    await page.getByRole('button', { name: 'Convert 3 files' }).click()
    const all = page.getByRole('button', { name: 'Download all (ZIP)' })
    await page.getByText('3 of 3 done').waitFor()
    // The browser has the images themselves.
    await page.locator('[data-preview=shown] img').waitFor({ timeout: 60_000 })
    expect(await page.locator('[data-preview]').count()).toBe(1)
    const [download] = await Promise.all([page.waitForEvent('download'), all.click()])
    const text = (await readFile(await download.path())).toString('latin1')
    for (const name of ['holiday.avif', 'alpha.avif', 'letter.pdf']) expect(text).toContain(name)
  })

  it('gives one file a target of its own', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo, fileOf('alpha.png'))
    await page.getByRole('combobox', { name: /^Convert alpha.png to/ }).click()
    await page.getByRole('option', { name: /^BMP/ }).click()
    await page.getByRole('button', { name: 'Convert 2 files' }).click()
    await page.getByText('2 of 2 done').waitFor()
    await page.getByText('PNG → BMP').waitFor()
    await page.getByText('JPG → WEBP').waitFor()
  })

  it('shows options by their conditions, checks them, resets them, and sends what was set', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Options of holiday.jpg' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Quality', { exact: true }).fill('101')
    await dialog.getByText('Enter a number from 1 to 100.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Quality', { exact: true }).fill('40')
    await dialog.getByRole('switch', { name: 'Lossless' }).click()
    expect(await dialog.getByLabel('Quality', { exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Reset Lossless' }).click()
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/process/jobs')),
      page.getByRole('button', { name: 'Convert 1 file' }).click(),
    ])
    expect(request.postDataJSON().tasks['convert-0'].options).toEqual({ quality: 40 })
    await page.getByText('1 of 1 done').waitFor()
  })

  it('says which way a file goes that no engine converts directly, and what may get lost', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, fileOf('letter.docx'))
    const options = page.getByRole('button', { name: 'Options of letter.docx' })
    await options.click()
    await page.getByRole('dialog').getByLabel('Pages').first().waitFor()
    expect(await page.getByText('Converted in several steps').count()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('combobox', { name: /^Convert letter.docx to/ }).click()
    await page.getByRole('option', { name: /^WEBP/ }).click()
    await options.click()
    const note = page.getByRole('status').filter({ hasText: 'Converted in several steps: DOCX → PDF → WEBP' })
    await note.getByText(/^Pages become fixed/).waitFor()
  })

  it('applies the options of one file to all of its type', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo, fileOf('photo-40k.jpg', 'second.jpg'))
    await page.getByRole('button', { name: 'Options of holiday.jpg' }).click()
    await page.getByLabel('Quality', { exact: true }).fill('30')
    await page.getByRole('button', { name: /^Apply to all of this type/ }).click()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/process/jobs')),
      page.getByRole('button', { name: 'Convert 2 files' }).click(),
    ])
    const { tasks } = request.postDataJSON()
    expect([tasks['convert-0'].options, tasks['convert-1'].options]).toEqual([{ quality: 30 }, { quality: 30 }])
  })

  it('keeps the list over a reload, with results and with what was not sent yet', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await choose(visit, fileOf('alpha.png'))
    await page.reload()
    await page.getByRole('link', { name: 'Download the result of holiday.jpg' }).waitFor()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('2 of 2 done').waitFor()
  })

  it('keeps what changed just before the page was closed', async () => {
    await using visit = await openConverter()
    const { page, context } = visit
    // The write that comes every 400 ms never comes, so that only the one of a closing page is left.
    await context.addInitScript(`{
      const { setTimeout } = window
      window.setTimeout = (run, ms, ...rest) => (ms === 400 ? 0 : setTimeout(run, ms, ...rest))
    }`)
    await page.reload()
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await page.reload()
    await page.getByText('1 of 1 done').waitFor()
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  })

  it('takes up a conversion that a reload interrupted', async () => {
    await using visit = await openConverter({ tolerates: /ERR_/ })
    const { page } = visit
    await choose(visit, fileOf('clip.mp4', 'video.mp4'))
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page
      .getByText(/Sending|In the queue|Converting|%/)
      .first()
      .waitFor()
    await page.waitForTimeout(500)
    await page.reload()
    await page.getByText('1 of 1 done').waitFor()
  })

  it('says in plain words what went wrong, and converts the others', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, { ...photo, name: 'broken.docx', buffer: Buffer.from('PK\u0003\u0004 not a document') }, photo)
    await page.getByRole('button', { name: 'Convert 2 files' }).click()
    const row = page.getByRole('article', { name: 'broken.docx' })
    await row.getByRole('alert').waitFor()
    expect(await row.getByRole('alert').textContent()).toMatch(/damaged|cannot be converted|incomplete/)
    await page.getByRole('link', { name: 'Download the result of holiday.jpg' }).waitFor()
    await page.getByRole('button', { name: 'Convert broken.docx again', exact: true }).waitFor()
  })

  it('cancels what is under way, and converts it again without sending it again', async () => {
    // A task that has completed meanwhile cannot be canceled, which the browser logs.
    await using visit = await openConverter({ tolerates: /status of 400/ })
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await page.getByRole('button', { name: 'Convert holiday.jpg again with other options' }).click()
    let uploads = 0
    page.on('request', (request) => (uploads += request.url().includes('/v1/uploads/') ? 1 : 0))
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    expect(uploads).toBe(0)
    await choose(visit, fileOf('clip.mp4', 'video.mp4'))
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByRole('button', { name: 'Cancel video.mp4' }).click()
    await page.getByRole('article', { name: 'video.mp4' }).getByText('Canceled').waitFor()
  })

  it('cancels a task on the server within two seconds of the click', async () => {
    const { key } = await newKey({ slots: 8 })
    const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
    await using visit = await openConverter({ key })
    const { page } = visit
    await choose(visit, { name: 'long.wav', mimeType: 'audio/wav', buffer: noise(90) })
    await page.getByRole('combobox', { name: 'Convert long.wav to' }).click()
    await page.getByRole('option', { name: /^OPUS/ }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    const convert = async () => {
      const { body } = await api.get<Page<Job>>('/v1/process/jobs?include=tasks')
      return body.docs[0]?.tasks?.find(({ name }) => name === 'convert-0')
    }
    // The page says that it is canceled before it has asked, so only the server knows.
    await expect.poll(async () => (await convert())?.startedAt ?? null, { interval: 50 }).not.toBeNull()
    expect((await convert())?.status).toBe('processing')
    await page
      .getByRole('article', { name: 'long.wav' })
      .getByText(/Converting|%/)
      .waitFor()
    const clickedAt = Date.now()
    await page.getByRole('button', { name: 'Cancel long.wav' }).click()
    await expect.poll(async () => (await convert())?.status, { interval: 50, timeout: 2000 }).toBe('canceled')
    const endedAt = Date.parse((await convert())?.endedAt ?? '')
    expect(endedAt - clickedAt).toBeLessThan(2000)
  })

  it('compares an image before and after, by keyboard alone', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    const keyboard = createKeyboard(page)
    await keyboard.press('Compare holiday.jpg before and after')
    const slider = page.getByRole('slider')
    await slider.waitFor()
    await keyboard.press('Divider between before and after', 'ArrowRight')
    expect(await slider.inputValue()).toBe('51')
    const [before, after] = await page.getByRole('dialog').locator('dd').allTextContents()
    expect(before).toMatch(/^JPG · [\d.]+ kB$/)
    expect(after).toMatch(/^WEBP · [\d.]+ kB · \d+% smaller$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('works over plain HTTP in a local network, where browsers offer less', async () => {
    const { key } = await newKey({ slots: 8 })
    // The browser says that it ignores this header there.
    const tolerates = /Cross-Origin-Opener-Policy/
    await using visit = await startVisit(stack.url.replace('127.0.0.1', 'lan.example'), { key, tolerates })
    const { page } = visit
    await visit.open('/')
    expect(await page.evaluate('[isSecureContext, typeof crypto.randomUUID]')).toEqual([false, 'undefined'])
    await choose(visit, photo, fileOf('alpha.png'))
    await page.getByRole('button', { name: 'Convert 2 files' }).click()
    await page.getByText('2 of 2 done').waitFor()
    const link = page.getByRole('link', { name: 'Download the result of holiday.jpg' })
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(file.suggestedFilename()).toBe('holiday.webp')
  })

  it('adds what is pasted: a link, and a file', async () => {
    await using visit = await openConverter()
    const { page } = visit
    const paste = (script: string) =>
      page.evaluate(`(() => {
        const clipboardData = new DataTransfer()
        ${script}
        dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      })()`)
    await paste(`clipboardData.setData('text/plain', 'https://example.com/photos/beach.jpg')`)
    await page.getByRole('article', { name: 'beach.jpg' }).getByText('from a URL').waitFor()
    await paste(`clipboardData.items.add(new File(['x'], 'pasted.png'))`)
    await page.getByRole('article', { name: 'pasted.png' }).waitFor()
  })

  it('shows hostile names as text', async () => {
    await using visit = await openConverter()
    const { page } = visit
    const names = [
      '<img src=x onerror=alert(1)>.jpg',
      '"><script>alert(1)</script>.png',
      '{{constructor}}.jpg',
      '\u202Egpj.exe.jpg',
      `${'long '.repeat(40)}.jpg`,
    ]
    await choose(visit, ...names.map((name) => ({ ...photo, name })))
    for (const name of names) await page.getByRole('article', { name, exact: true }).waitFor()
    expect(await page.locator('article img[src=x], article script').count()).toBe(0)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })

  it('says what it cannot convert', async () => {
    await using visit = await openConverter()
    await choose(visit, { ...photo, name: 'notes.unknown', buffer: Buffer.from([0, 159, 146, 150, 1, 2, 3]) })
    await visit.page.getByText('Lathe cannot convert this type.').waitFor()
    expect(await visit.page.getByRole('button', { name: /^Convert \d/ }).count()).toBe(0)
  })

  it('can be used by keyboard alone', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    const { tabTo } = createKeyboard(page)
    await tabTo(/^Images: convert to/)
    await page.keyboard.press('Enter')
    await page.keyboard.type('png')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await tabTo(/^Convert 1 file/)
    await page.keyboard.press('Enter')
    await page.getByText('JPG → PNG').waitFor()
    await page.getByText('1 of 1 done').waitFor()
    await tabTo(/^Download$/)
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(download.suggestedFilename()).toBe('holiday.png')
  })

  it('says when the connection is lost, and continues when it is back', async () => {
    await using visit = await openConverter({ tolerates: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK/ })
    const { page, context } = visit
    await choose(visit, photo)
    await page.getByRole('combobox', { name: /^Images: convert to/ }).waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.waitForTimeout(1500)
    await context.setOffline(false)
    await page.getByText('1 of 1 done').waitFor()
  })
})

describe('signing in with a key', () => {
  it('keeps the files that were added before', async () => {
    await using visit = await startVisit(stack.url)
    const { page } = visit
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('link', { name: 'Sign in to convert' }).click()
    const { key } = await newKey()
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  })

  it('says that a key is not valid', async () => {
    await using visit = await startVisit(stack.url, { tolerates: /401/ })
    await visit.open('/sign-in')
    await visit.page.getByLabel('API key').fill('lathe_0123456789abcdefghijABCDEFGHIJabcdef')
    await visit.page.getByRole('button', { name: 'Sign in' }).click()
    await visit.page.getByText('This key is not valid.').waitFor()
  })
})
