import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { answers, type FileServer, sends, startFileServer } from '../file-server.ts'
import { openOutput } from '../outputs.ts'
import { completed, newClient, outputOf } from '../scenario.ts'

const timeout = 180_000
const html = { 'content-type': 'text/html; charset=utf-8' }
let api: Client
let server: FileServer
beforeAll(async () => {
  api = await newClient()
  server = await startFileServer({
    '/page': sends(
      Buffer.from(`<title>The price list</title><link rel="stylesheet" href="/style.css"><h1>Prices</h1>
        <img src="http://169.254.169.254/tracker.png"><script>document.body.append('Made by a script')</script>`),
      html,
    ),
    '/style.css': sends(Buffer.from('h1 { color: teal }'), { 'content-type': 'text/css' }),
    '/inside': answers(302, { location: 'http://169.254.169.254/latest/meta-data' }),
    '/closed': answers(403),
  })
})
afterAll(() => server?.[Symbol.asyncDispose]())

describe('import/webpage', { timeout }, () => {
  it('saves a page that later tasks convert to PDF and images without loading it again [S-imp-24, D-op-59]', async () => {
    const job = await api.runJob({
      page: { operation: 'import/webpage', url: `${server.url}/page`, viewport_width: 640 },
      pdf: { operation: 'convert', input: 'page', output_format: 'pdf', options: { paper_size: 'a5' } },
      picture: { operation: 'convert', input: 'page', output_format: 'png', options: { viewport_width: 500 } },
      link: { operation: 'export/url', input: ['pdf'] },
    })
    const task = (name: string) => {
      const found = job.tasks?.find((one) => one.name === name)
      if (!found) throw new Error(`no task ${name}`)
      return completed(found)
    }
    const { files, warnings } = task('page').result
    expect(files).toMatchObject([{ filename: 'The price list.mhtml' }])
    expect(warnings).toEqual([expect.stringContaining('169.254.169.254:80')])
    expect(await openOutput(await outputOf(api, task('link')))).toMatchObject({
      format: 'pdf',
      pages: 1,
      width: 420,
    })
    expect(await openOutput(await outputOf(api, task('picture')))).toMatchObject({ format: 'png', width: 500 })
    expect(server.visits.get('/page')).toBe(1)
  })

  it.each([
    ['/inside', 'url_forbidden', 'processing_failed'],
    ['/closed', 'source_forbidden', 'insufficient_permission'],
    ['/nowhere', 'source_not_found', 'processing_failed'],
  ])('of %s fails as %s [S-imp-26]', async (path, reason, errorCode) => {
    const { status, result } = await api.run('import/webpage', { url: `${server.url}${path}` })
    expect({ status, result }).toMatchObject({ status: 'failed', result: { reason, errorCode } })
  })
})
