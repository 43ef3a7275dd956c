import { Lathe, TaskFailedError } from '@lathe/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { answers, type FileServer, sends, startFileServer } from '../file-server.ts'
import { openOutput } from '../outputs.ts'
import { completed, newClient, newKey, outputOf, stack } from '../scenario.ts'

const timeout = 180_000
const html = { 'content-type': 'text/html; charset=utf-8' }
let api: Client
let server: FileServer
beforeAll(async () => {
  api = await newClient()
  server = await startFileServer({
    '/page': sends(
      Buffer.from(`<!DOCTYPE html><title>The price list</title><style>body { margin: 0 }</style><h1>Prices</h1>
        <div style="height: 1200px"></div><script>setTimeout(() => {
          document.body.insertAdjacentHTML('beforeend', '<p class="late" style="height: 500px; margin: 0">Late</p>') }, 1000)
        </script>`),
      html,
    ),
    '/inside': answers(302, { location: 'http://169.254.169.254/latest/meta-data' }),
    '/closed': answers(403),
  })
})
afterAll(() => server?.[Symbol.asyncDispose]())

describe('capture', { timeout }, () => {
  it('is one call of the SDK', async () => {
    const { key } = await newKey({ slots: 1, scopes: ['task.read', 'task.write'] })
    const lathe = new Lathe({ baseUrl: stack.url, key })
    const file = await lathe.capture(`${server.url}/page`, { output_format: 'png', viewport_width: 300 })
    expect(file.name).toBe('The price list.png')
    expect(await openOutput(Buffer.from(await file.bytes()))).toMatchObject({ format: 'png', width: 300 })
    await expect(lathe.capture(`${server.url}/closed`)).rejects.toThrow(TaskFailedError)
  })

  it('makes each of its formats of a live page, and later tasks work on it [S-imp-30]', async () => {
    const visited = server.visits.get('/page') ?? 0
    const page = { operation: 'capture', url: `${server.url}/page`, wait_for: 'p.late' }
    const job = await api.runJob({
      pdf: { ...page, paper_size: 'a5', header: '{title}', footer: '{page} of {pages}' },
      png: { ...page, output_format: 'png', viewport_width: 500 },
      jpg: { ...page, output_format: 'jpg', viewport_width: 400, viewport_height: 300, full_page: false },
      mhtml: { ...page, output_format: 'mhtml', filename: 'kept' },
      webp: { operation: 'convert', input: 'png', output_format: 'webp' },
    })
    const task = (name: string) => {
      const found = job.tasks?.find((one) => one.name === name)
      if (!found) throw new Error(`no task ${name}`)
      return completed(found)
    }
    const opened = async (name: string) => openOutput(await outputOf(api, task(name)))
    expect(await opened('pdf')).toMatchObject({ format: 'pdf', width: 420 })
    expect(await opened('png')).toMatchObject({ format: 'png', width: 500 })
    expect((await opened('png')).height).toBeGreaterThan(1700)
    expect(await opened('jpg')).toMatchObject({ format: 'jpg', width: 400, height: 300 })
    expect(await opened('webp')).toMatchObject({ format: 'webp', width: 500 })
    expect((await outputOf(api, task('mhtml'))).toString()).toContain('Late')
    const names = ['pdf', 'png', 'jpg', 'mhtml'].map((name) => task(name).result.files?.[0]?.filename)
    expect(names).toEqual(['The price list.pdf', 'The price list.png', 'The price list.jpg', 'kept.mhtml'])
    expect(server.visits.get('/page')).toBe(visited + 4)
  })

  it('says what it did not wait for, and what it cannot wait for', async () => {
    const url = `${server.url}/page`
    const { result } = completed(await api.run('capture', { url, wait_for: '#never', output_format: 'png' }))
    expect(result.warnings).toEqual([expect.stringContaining('No element matched wait_for')])
    expect(await api.run('capture', { url, wait_for: 'p[' })).toMatchObject({
      status: 'failed',
      result: { reason: 'unsupported', msg: expect.stringContaining('wait_for') },
    })
  })

  it.each([
    ['/inside', 'url_forbidden', 'processing_failed'],
    ['/closed', 'source_forbidden', 'insufficient_permission'],
    ['/nowhere', 'source_not_found', 'processing_failed'],
  ])('of %s fails as %s', async (path, reason, errorCode) => {
    const { status, result } = await api.run('capture', { url: `${server.url}${path}` })
    expect({ status, result }).toMatchObject({ status: 'failed', result: { reason, errorCode } })
  })
})
