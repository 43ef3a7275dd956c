import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTcpProxy } from '@lathe/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { newKey, stack } from '../scenario.ts'
import { noise } from './files.ts'
import { closeBrowser, startVisit } from './visit.ts'

afterAll(closeBrowser)

describe('a large file', () => {
  it('continues to be sent after the connection broke, from where it stopped', async () => {
    await using own = new AsyncDisposableStack()
    const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-large-')), (made) => rm(made, { recursive: true }))
    // From the disk: so much passed to the browser itself takes longer than the upload.
    const path = join(folder, 'noise.wav')
    // Two whole parts: the second is still on its way when the connection is cut.
    await writeFile(path, noise(380))
    const proxy = own.use(await startTcpProxy(stack.url))
    const url = new URL(proxy.through(stack.url)).origin
    const { key } = await newKey({ slots: 4 })
    // What is cut off is told on the console by the browser itself.
    await using visit = await startVisit(url, { key, tolerates: /ERR_(CONNECTION|EMPTY|SOCKET|ABORTED)/ })
    const { page } = visit
    const offsets: number[] = []
    page.on('request', (request) => {
      const offset = request.headers()['upload-offset']
      if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
    })
    await visit.open('/')
    await page.locator('input[type=file]').first().setInputFiles(path)
    await page.getByRole('button', { name: 'Convert 1 file' }).click()
    // The second part is on its way.
    await expect.poll(() => offsets.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
    proxy.cut()
    await page.waitForTimeout(500)
    proxy.pass()
    await page.getByText('1 of 1 done').waitFor({ timeout: 60_000 })
    expect(offsets.filter((offset) => offset === 0)).toHaveLength(1)
    expect(offsets.length).toBeGreaterThanOrEqual(3)
  })
})
