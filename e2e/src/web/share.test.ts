import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { openZip } from '../outputs.ts'
import { stack } from '../scenario.ts'
import { choose, fileOf, openConverter } from './files.ts'
import { createKeyboard } from './keyboard.ts'
import { closeBrowser, startVisit, type Visit } from './visit.ts'

afterAll(closeBrowser)

const files = [fileOf('rotated-exif.jpg', 'one.jpg'), fileOf('rotated-exif.jpg', '<i>two</i>.jpg')]

/** Converts files and makes a link to them. */
async function share(visit: Visit): Promise<string> {
  const { page } = visit
  await choose(visit, ...files)
  await page.getByRole('button', { name: 'Convert 2 files' }).click()
  await page.getByText('2 of 2 done').waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByLabel('The link works for').selectOption('1')
  expect(await visit.barriers()).toEqual([])
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  return page.getByLabel('Link', { exact: true }).inputValue()
}

describe('sharing', () => {
  it('gives a link whose secret no server sees, and a stranger downloads what it leads to and nothing else', async () => {
    await using visit = await openConverter()
    const address = await share(visit)
    expect(await visit.barriers()).toEqual([])
    expect(address).toMatch(/\/share#[0-9a-f]{24}\.lathe_job_[\w-]+$/)
    const secret = address.split('.').at(-1) ?? ''

    await using stranger = await startVisit(stack.url)
    const { page } = stranger
    page.on('request', (request) => {
      if (request.url().includes(secret)) stranger.faults.push(`the secret is in ${request.url()}`)
    })
    await stranger.open(new URL(address).pathname + new URL(address).hash)
    await page.getByText('one.webp').waitFor()
    await expect.poll(() => page.locator('[data-preview=shown] img').count(), { timeout: 60_000 }).toBe(2)
    expect((await page.locator('li bdi').allTextContents()).every((name) => name.endsWith('.webp'))).toBe(true)
    expect(await stranger.barriers()).toEqual([])
    const one = page.getByRole('link', { name: 'Download one.webp' })
    const [download] = await Promise.all([page.waitForEvent('download'), one.click()])
    expect((await readFile(await download.path())).subarray(8, 12).toString()).toBe('WEBP')
    const all = page.getByRole('link', { name: 'Download all (ZIP)' })
    const [packed] = await Promise.all([page.waitForEvent('download'), all.click()])
    expect((await openZip(await readFile(await packed.path()))).size).toBe(2)

    const list = await fetch(`${stack.url}/v1/process/jobs`, { headers: { authorization: `Bearer ${secret}` } })
    expect([401, 403]).toContain(list.status)
  })

  it('is done by keyboard alone, and ends when the link is revoked', async () => {
    await using visit = await openConverter()
    const { page } = visit
    const keyboard = createKeyboard(page)
    await choose(visit, ...files)
    await keyboard.press('Convert 2 files')
    await page.getByText('2 of 2 done').waitFor()
    await keyboard.press('Share')
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    await keyboard.press('Create link')
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    const address = await page.getByLabel('Link', { exact: true }).inputValue()
    await keyboard.press('Revoke the link')
    await visit.page.getByText('The link no longer works.').waitFor()
    const [, jobId, token] = /#(\w+)\.(.+)$/.exec(address) ?? []
    const ask = () => fetch(`${stack.url}/v1/process/jobs/${jobId}`, { headers: { authorization: `Bearer ${token}` } })
    await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(401)
    await using stranger = await startVisit(stack.url, { tolerates: /401/ })
    await stranger.open(new URL(address).pathname + new URL(address).hash)
    await stranger.page.getByText('This link is no longer valid').waitFor()
  })

  it.each(['/share', '/share#nothing', `/share#${'0'.repeat(24)}.lathe_job_${'a'.repeat(44)}`])(
    'says at %s that there is nothing',
    async (path) => {
      await using visit = await startVisit(stack.url, { tolerates: /40[14]/, theme: 'dark', width: 360 })
      await visit.open(path)
      await visit.page.getByText('This link is no longer valid').waitFor()
      expect(await visit.barriers()).toEqual([])
    },
  )
})
