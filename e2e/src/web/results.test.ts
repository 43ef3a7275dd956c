import type { Job, Page } from '@lathe/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { newKey, stack } from '../scenario.ts'
import { expectNoBarriers, looks } from './dashboard-visit.ts'
import { choose, fileOf, noise, openConverter } from './files.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

const photo = fileOf('photo-100k.jpg', 'holiday.jpg')

// Sets back when the results in the list of the page expire.
const expireAll = `new Promise((resolve, reject) => {
  let changed = 0
  const opening = indexedDB.open('lathe', 1)
  opening.onerror = reject
  opening.onsuccess = () => {
    const change = opening.result.transaction('items', 'readwrite')
    const items = change.objectStore('items')
    const reading = items.getAll()
    reading.onsuccess = () => {
      for (const kept of reading.result.filter(({ item }) => item.result)) {
        changed += 1
        kept.item.result.expiresAt = '2020-01-01T00:00:00.000Z'
        items.put(kept, kept.item.id)
      }
    }
    change.oncomplete = () => { opening.result.close(); resolve(changed) }
    change.onabort = reject
  }
})`

describe('results in the list', () => {
  it.each(looks)('say that they have expired, instead of dead links ($theme, $width px)', async (look) => {
    const { key } = await newKey({ slots: 8 })
    const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
    await using visit = await startVisit(stack.url, { key, ...look })
    const { page } = visit
    await page.clock.install()
    await visit.open('/')
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
    await page.clock.fastForward('04:30:00')
    await page.getByText('Expired', { exact: true }).waitFor()
    await page.getByText('1 expired').waitFor()
    expect(await page.getByRole('link', { name: /Download/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Share|Download/ }).count()).toBe(0)
    await expectNoBarriers(visit)
    await page.getByRole('button', { name: 'Convert again: holiday.jpg' }).click()
    // The clock of the page is ahead: its new result has expired as well, but not for the service.
    const jobs = async () => (await api.get<Page<Job>>('/v1/process/jobs?include=tasks')).body.docs
    await expect.poll(async () => (await jobs()).map(({ status }) => status)).toEqual(['completed', 'completed'])
    for (const { tasks = [] } of await jobs()) {
      expect(tasks.map(({ operation }) => operation)).toEqual(['import/upload', 'convert'])
    }
  })

  it('that expired before a reload ask for the file, which the page no longer has', async () => {
    await using visit = await openConverter()
    const { page } = visit
    await choose(visit, photo)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
    await expect.poll(() => page.evaluate(expireAll)).toBe(1)
    await page.reload()
    await page.getByText('this page no longer has the file').waitFor()
    await expectNoBarriers(visit)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose file: holiday.jpg' }).click(),
    ])
    await chooser.setFiles(fileOf('photo-40k.jpg', 'holiday.jpg'))
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
    expect(await page.getByText('Expired').count()).toBe(0)
  })

  it('show what the conversion warns of', async () => {
    await using visit = await openConverter()
    const { page } = visit
    const text = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nCaf\xe9\n', 'latin1')
    await choose(visit, { name: 'talk.srt', mimeType: 'text/plain', buffer: text })
    await page.getByRole('combobox', { name: /^Convert talk.srt to/ }).click()
    await page.getByRole('option', { name: /^VTT/ }).click()
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page
      .getByRole('article', { name: 'talk.srt' })
      .getByText('The text is not UTF-8, so it was read as windows-1252.')
      .waitFor()
    await expectNoBarriers(visit)
  })
})

it('files that wait say about when they are done', async () => {
  await using visit = await openConverter({ key: (await newKey({ slots: 1 })).key, height: 1600 })
  const { page } = visit
  const files = Array.from({ length: 16 }, (_, n) => ({
    name: `noise-${n}.wav`,
    mimeType: 'audio/wav',
    buffer: noise(5),
  }))
  await choose(visit, ...files)
  await page.getByRole('button', { name: 'Convert 16 files' }).click()
  const estimate = page.getByText(/^done in about \d+ (sec|min)$/).first()
  await estimate.waitFor({ timeout: 50_000 })
  await expectNoBarriers(visit)
})
