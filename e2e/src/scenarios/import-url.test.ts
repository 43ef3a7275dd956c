import { findFreePort } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { answers, type FileServer, sends, startFileServer } from '../file-server.ts'
import { completed, fixture, newClient, outputOf } from '../scenario.ts'

let api: Client
let server: FileServer
const photo = fixture('photo-40k.jpg')

beforeAll(async () => {
  api = await newClient()
  server = await startFileServer({
    '/pictures/cat%20one.jpg': sends(photo),
    '/named': sends(photo, {
      'content-disposition': `attachment; filename="plain.jpg"; filename*=UTF-8''k%C3%A4se.jpg`,
    }),
    '/sly': sends(photo, { 'content-disposition': 'attachment; filename="../../etc/passwd.jpg"' }),
    '/moved': answers(302, { location: '/pictures/cat%20one.jpg' }),
    '/circle': answers(302, { location: '/circle' }),
    '/inside': answers(302, { location: 'http://[::1]/secret.jpg' }),
    '/private': (request, response) => {
      const known = `Basic ${Buffer.from('me:hunter2').toString('base64')}`
      if (request.headers.authorization === known) response.end(photo)
      else response.writeHead(401).end()
    },
    '/401': answers(401),
    '/403': answers(403),
    '/410': answers(410),
    '/500': answers(500),
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const importFrom = (path: string, more = {}) => api.run('import/url', { url: `${server.url}${path}`, ...more })

describe('import/url', () => {
  it('imports the file and names it after the last segment of its URL', async () => {
    const task = await importFrom('/pictures/cat%20one.jpg')
    expect(completed(task).result.files?.[0]?.filename).toBe('cat one.jpg')
    expect(await outputOf(api, task)).toEqual(photo)
  })

  it('names the file by filename [D-op-38]', async () => {
    const task = await importFrom('/named', { filename: 'mine.jpg' })
    expect(completed(task).result.files?.[0]?.filename).toBe('mine.jpg')
  })

  it('names the file as its source does in Content-Disposition', async () => {
    expect(completed(await importFrom('/named')).result.files?.[0]?.filename).toBe('käse.jpg')
  })

  it('drops folders from the file name that a source sends', async () => {
    expect(completed(await importFrom('/sly')).result.files?.[0]?.filename).toBe('passwd.jpg')
  })

  it('follows redirects', async () => {
    expect(await outputOf(api, await importFrom('/moved'))).toEqual(photo)
  })

  it('limits the number of redirects', async () => {
    expect((await importFrom('/circle')).status).toBe('failed')
  })

  it.each([
    ['/401', 'invalid_credentials', 'source_unauthorized'],
    ['/403', 'insufficient_permission', 'source_forbidden'],
    ['/nowhere', 'processing_failed', 'source_not_found'],
    ['/410', 'processing_failed', 'source_not_found'],
  ])('fails for a source that answers %s with %s [S-err-15, S-err-16, D-op-42]', async (path, errorCode, reason) => {
    expect(await importFrom(path)).toMatchObject({
      status: 'failed',
      result: { errorCode, reason, msg: expect.stringMatching(/.+/) },
    })
  })

  it('retries a source that is unavailable, and then fails with source_unreachable', async () => {
    const task = await importFrom('/500')
    expect(task).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'source_unreachable' },
    })
    expect(server.visits.get('/500')).toBe(3)
  })

  it('fails with source_unreachable if the connection is refused', async () => {
    const task = await api.run('import/url', { url: `http://127.0.0.1:${await findFreePort()}/a.jpg` })
    expect(task).toMatchObject({ status: 'failed', result: { reason: 'source_unreachable' } })
  })

  // Only loopback, which the stack allows as IPv4 alone: were the guard broken, no packet would leave the machine.
  // Every other spelling is tried in packages/outbound, with a dialer that reaches nobody.
  it.each(['http://[::1]/a.jpg', 'http://[0:0::0:1]/a.jpg', 'http://localhost/a.jpg'])(
    'is accepted for the forbidden URL %s and fails with url_forbidden [D-op-40]',
    async (url) => {
      expect(await api.run('import/url', { url })).toMatchObject({
        status: 'failed',
        result: { reason: 'url_forbidden' },
      })
    },
  )

  it('does not follow a redirect to a forbidden address', async () => {
    expect((await importFrom('/inside')).result.reason).toBe('url_forbidden')
  })

  it.each(['ftp://files.example/a.jpg', 'file:///etc/passwd', 'not an address'])('refuses %s', async (url) => {
    const { status, errors } = await api.refused('POST', '/v1/process/import/url', { json: { url } })
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path: 'url' })
  })

  it('needs a URL', async () => {
    expect((await api.refused('POST', '/v1/process/import/url', { json: {} })).errors?.[0]?.path).toBe('url')
  })

  it('shows its payload as sent, with the password of the URL masked', async () => {
    const url = server.url.replace('http://', 'http://me:hunter2@')
    const task = await api.run('import/url', { url: `${url}/pictures/cat%20one.jpg`, filename: 'a.jpg' })
    expect(task.payload).toMatchObject({ filename: 'a.jpg', url: expect.stringContaining('***') })
    expect(JSON.stringify(task)).not.toContain('hunter2')
  })

  it('sends the password of the URL to its source, although it is shown masked', async () => {
    const url = `${server.url.replace('http://', 'http://me:hunter2@')}/private`
    expect(await outputOf(api, await api.run('import/url', { url }))).toEqual(photo)
    expect((await importFrom('/private')).result.reason).toBe('source_unauthorized')
  })

  it.each(['a/b.jpg', 'a\u0000.jpg', '..'])('refuses the file name %j', async (filename) => {
    const json = { url: `${server.url}/named`, filename }
    expect((await api.refused('POST', '/v1/process/import/url', { json })).errors?.[0]?.path).toBe('filename')
  })
})
