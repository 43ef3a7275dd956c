import { startTcpProxy } from '@lathe/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { newKey, stack } from '../scenario.ts'
import { choose, noise } from './files.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

describe('a connection that falls silent without an end', () => {
  it('is noticed, and the conversion finishes on the page', async () => {
    await using proxy = await startTcpProxy(stack.url)
    const url = new URL(proxy.through(stack.url)).origin
    const { key } = await newKey({ slots: 4 })
    const api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
    await using visit = await startVisit(url, { key, tolerates: /ERR_ABORTED/ })
    const { page } = visit
    const resumedAt: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/process/events')) resumedAt.push(request.headers()['last-event-id'])
    })
    // The page's clock can be moved, so that the test does not wait as long as a person would.
    await page.clock.install()
    await visit.open('/')
    await choose(visit, { name: 'noise.wav', mimeType: 'audio/wav', buffer: noise(120) })
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    await page.getByText(/^Converting/).waitFor()
    // Connections that are open now are dead for good, and only these.
    proxy.swallow()
    proxy.pass()
    expect(resumedAt).toEqual([undefined])

    await expect.poll(async () => (await api.jobs()).docs[0]?.status).toBe('completed')
    expect(await page.getByText('1 of 1 done').count()).toBe(0)
    await expect
      .poll(async () => {
        await page.clock.fastForward(20_000)
        return page.getByText('1 of 1 done').count()
      })
      .toBe(1)
    expect(Date.parse(resumedAt.at(-1) ?? '')).toBeGreaterThan(0)
  })
})
