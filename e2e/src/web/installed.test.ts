import { afterAll, describe, expect, it } from 'vitest'
import { stack } from '../scenario.ts'
import { hostileNames } from './dashboard-visit.ts'
import { fileOf, openConverter } from './files.ts'
import { closeBrowser, type Visit } from './visit.ts'

afterAll(closeBrowser)

const form = `<form method="post" action="${stack.url}/take-shared" enctype="multipart/form-data">
  <input type="file" name="files" multiple><input name="text"><button>Share</button></form>`

/** A page of the app just after it was installed, with its service worker at work. */
async function openInstalled(): Promise<Visit> {
  const visit = await openConverter()
  await visit.page.evaluate(`dispatchEvent(new Event('appinstalled'))`)
  await visit.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  return visit
}

/** Shares as another app does: the system opens the app with a form post. */
async function share({ context }: Visit, what: { files?: ReturnType<typeof fileOf>[]; text?: string }) {
  const page = await context.newPage()
  await page.setContent(form)
  if (what.files) await page.locator('input[type=file]').setInputFiles(what.files)
  await page.locator('input[name=text]').fill(what.text ?? '')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('heading', { name: 'Convert files' }).waitFor()
  return page
}

describe('the app on a phone', () => {
  it('has a manifest with icons that are there, and can be shared with', async () => {
    const manifest = (await (await fetch(`${stack.url}/manifest.webmanifest`)).json()) as {
      icons: { src: string; type: string; sizes: string; purpose: string }[]
      share_target: { action: string }
    }
    expect(manifest.share_target.action).toBe('/take-shared')
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable')
    for (const { src, type, sizes } of manifest.icons) {
      const icon = await fetch(`${stack.url}${src}`)
      expect(icon.headers.get('content-type')).toContain(type)
      // A PNG tells its width and height behind its first 16 bytes.
      const data = Buffer.from(await icon.arrayBuffer())
      if (type === 'image/png') expect(`${data.readUInt32BE(16)}x${data.readUInt32BE(20)}`).toBe(sizes)
    }
  })

  it('has no service worker unless it was installed', async () => {
    await using visit = await openConverter()
    await visit.page.getByRole('button', { name: 'Choose files' }).waitFor()
    const count = 'navigator.serviceWorker.getRegistrations().then((all) => all.length)'
    expect(await visit.page.evaluate(count)).toBe(0)
  })

  it('puts shared files on the list, with their names as text, sends nothing by itself and keeps nothing', async () => {
    await using visit = await openInstalled()
    const [name] = hostileNames
    const files = [fileOf('photo-40k.jpg', 'holiday.jpg'), fileOf('alpha.png', `${name}.png`.replaceAll('/', '_'))]
    const sent: string[] = []
    visit.context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/v1/')) sent.push(request.url())
    })
    const page = await share(visit, { files })
    await page.getByText('holiday.jpg', { exact: true }).waitFor()
    await page.getByText('onerror=alert(1)').first().waitFor()
    await page.getByRole('button', { name: 'Convert 2 files' }).waitFor()
    expect(page.url()).toBe(`${stack.url}/`)
    expect(sent).toEqual([])
    await page.getByRole('button', { name: 'Convert 2 files' }).waitFor()
    expect(await page.evaluate('caches.keys()')).toEqual([])
    await page.reload()
    await page.getByText('holiday.jpg', { exact: true }).waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
  })

  it('takes a shared address out of the words around it', async () => {
    await using visit = await openInstalled()
    const page = await share(visit, { text: 'Look: https://files.example/summer.png (nice)' })
    await page.getByText('summer.png', { exact: true }).waitFor()
  })

  it('keeps no answer of the API, and lets pages and calls go to the network', async () => {
    await using visit = await openInstalled()
    await visit.page.reload()
    await visit.page.getByRole('button', { name: 'Choose files' }).waitFor()
    const controlled = 'navigator.serviceWorker.controller !== null'
    await expect.poll(() => visit.page.evaluate(controlled)).toBe(true)
    const answers: boolean[] = []
    visit.page.on('response', (response) => void answers.push(response.fromServiceWorker()))
    await visit.open('/sign-in')
    await visit.open('/')
    await visit.page.getByRole('button', { name: 'Choose files' }).waitFor()
    expect(answers.length).toBeGreaterThan(0)
    expect(answers).not.toContain(true)
    expect(await visit.page.evaluate('caches.keys()')).toEqual([])
  })
})
