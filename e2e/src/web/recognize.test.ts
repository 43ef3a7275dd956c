import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { type FileServer, sends, startFileServer } from '../file-server.ts'
import { fixture } from '../scenario.ts'
import { choose, fileOf, openConverter, type PageFile } from './files.ts'
import { closeBrowser } from './visit.ts'

afterAll(closeBrowser)

const html = Buffer.from('<!doctype html><html><head><title>Prices</title></head><body><h1>Prices</h1></body></html>')

const startServer = (): Promise<FileServer> =>
  startFileServer({
    '/': sends(html, { 'content-type': 'text/html' }),
    '/download': sends(fixture('two-pages.pdf'), { 'content-type': 'application/octet-stream' }),
    '/empty': sends(Buffer.alloc(0)),
  })

const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })()`)

/** Drops a link, as from the address bar or from another page. */
const dropLink = (page: Page, url: string) =>
  page.evaluate(`(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/uri-list', ${JSON.stringify(url)})
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
    document.body.dispatchEvent(event)
    return event.defaultPrevented
  })()`)

const garbage: PageFile = {
  name: 'data.bin',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from([0, 159, 146, 150, 1, 2, 3]),
}

describe.each([360, 1280, 1920])('on a screen %i pixels wide', (width) => {
  const height = width === 360 ? 740 : 900

  it('files without a useful extension are recognized by their content', async () => {
    await using visit = await openConverter({ width, height })
    const { page } = visit
    await choose(
      visit,
      fileOf('photo-40k.jpg', 'IMG_0001'),
      fileOf('letter.docx', 'contract.final'),
      fileOf('two-pages.pdf', 'scan.download'),
      garbage,
    )
    await page.getByRole('button', { name: 'Convert 3 of 4', disabled: false }).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Images',
      'Documents',
      'Other files',
    ])
    await page.getByText('Lathe cannot convert this type.').waitFor()
  })

  it('a dropped web page becomes a PDF of what a browser shows', async () => {
    await using server = await startServer()
    await using visit = await openConverter({ width, height })
    const { page } = visit
    expect(await dropLink(page, `${server.url}/`)).toBe(true)
    await page.getByRole('heading', { name: 'Web pages' }).waitFor()
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/process/jobs')),
      page.getByRole('button', { name: 'Convert 1 file' }).click(),
    ])
    const { tasks } = request.postDataJSON()
    expect(tasks).toEqual({ 'convert-0': { operation: 'capture', url: `${server.url}/`, output_format: 'pdf' } })
    await page.getByText('1 of 1 done').waitFor()
    const link = page.getByRole('link', { name: 'Download', exact: true })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toBe('Prices.pdf')
  })
})

describe('a URL that does not say what it leads to', () => {
  it('is fetched once, by the service, recognized by its content, and converted', async () => {
    await using server = await startServer()
    await using visit = await openConverter()
    const { page } = visit
    await paste(page, `${server.url}/download?id=5`)
    const row = page.getByRole('article', { name: 'download' })
    await row.getByText(/^PDF/).first().waitFor()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText('1 of 1 done').waitFor()
    await row.getByText('PDF → DOCX').waitFor()
    expect(server.visits.get('/download')).toBe(1)
  })

  it('is looked up after a reload if that was interrupted', async () => {
    await using server = await startServer()
    await using visit = await openConverter({ tolerates: /ERR_/ })
    const { page } = visit
    await page.route('**/v1/process/import/url', (route) => route.abort())
    await paste(page, `${server.url}/download`)
    await page.getByText('Checking the URL…').waitFor()
    // The list is stored within half a second; a visit that ends stores it at once.
    await page.reload()
    await page.unroute('**/v1/process/import/url')
    await page.reload()
    await page.getByRole('article', { name: 'download' }).getByText(/^PDF/).first().waitFor()
  })

  it('says why it cannot be fetched, or that it is empty, and can be tried again', async () => {
    await using server = await startServer()
    await using visit = await openConverter()
    const { page } = visit
    await paste(page, `${server.url}/nothing`)
    await page.getByText('There is no file at this URL. Check it.').waitFor()
    await page.getByRole('button', { name: 'Convert nothing again' }).click()
    await expect.poll(() => server.visits.get('/nothing')).toBe(2)
    await paste(page, `${server.url}/empty`)
    await page.getByText('The file is empty. Choose one with content.').waitFor()
  })
})

it('an empty file is called empty, and nothing offers to try it again', async () => {
  await using visit = await openConverter()
  const { page } = visit
  await choose(visit, { name: 'nothing.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) })
  await page.getByText('The file is empty. Choose one with content.').waitFor()
  expect(await page.getByRole('button', { name: /^Convert nothing.jpg again/ }).count()).toBe(0)
})
