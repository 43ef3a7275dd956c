import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createOutbound } from '@lathe/outbound'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowserRoom } from '../testing/browser-room.ts'
import { createFakeContext } from '../testing/fake-context.ts'
import { type PageServer, type Route, recordingDial, servePages } from '../testing/page-server.ts'
import { testCertificate } from '../testing/test-certificate.ts'
import { createWebpageImporter, type WebpageParts } from './webpage.ts'

const timeout = 120_000
let room: Awaited<ReturnType<typeof openBrowserRoom>>
let server: PageServer | undefined
beforeAll(async () => {
  room = await openBrowserRoom()
}, timeout)
afterAll(() => room?.[Symbol.asyncDispose]())
afterEach(() => server?.[Symbol.asyncDispose]())

interface Visit {
  readonly path?: string
  readonly userinfo?: string
  readonly payload?: Record<string, unknown>
  readonly parts?: Partial<WebpageParts>
  readonly signal?: AbortSignal
}

/** Imports a page of a server with these routes. */
async function visit(routes: Record<string, Route>, { path = '/', userinfo, payload, parts, signal }: Visit = {}) {
  server = await servePages(routes)
  const dials: string[] = []
  await using outbound = createOutbound(
    { allow: ['127.0.0.1/32'] },
    { connect: recordingDial(dials), resolve: async () => [] },
  )
  const fake = createFakeContext({ maxSize: 10_000_000, ...(signal && { signal }) })
  const importer = createWebpageImporter({ outbound, browser: room, ...parts })
  const whole = path.startsWith('http') ? path : `${server.origin}${path}`
  const url = userinfo ? whole.replace('//', `//${userinfo}@`) : whole
  const end = await importer.run({ url, ...payload }, fake.context)
  const [saved] = fake.saved
  // Soft line breaks of quoted-printable would split words.
  const mhtml = saved?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
  return {
    end,
    name: saved?.filename,
    mhtml,
    warnings: fake.warnings,
    dials,
    asked: server.asked,
    origin: server.origin,
  }
}

const picture: Route = (_, response) =>
  void response
    .setHeader('content-type', 'image/svg+xml')
    .end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const style =
  (css: string): Route =>
  (_, response) =>
    void response.setHeader('content-type', 'text/css').end(css)
const redirect =
  (status: number, location: string): Route =>
  (_, response) =>
    void response.writeHead(status, { location }).end()

describe('import/webpage', { timeout }, () => {
  it('saves a page with its style, image, frame and the output of its script [S-imp-24]', async () => {
    const { end, name, mhtml, warnings, dials, origin } = await visit({
      '/': `<title>A page</title><link rel="stylesheet" href="/style.css"><img src="/picture.svg">
        <iframe src="/frame"></iframe><script>document.body.append('Made by a script, ' + innerWidth)</script>`,
      '/style.css': style('body { color: rebeccapurple }'),
      '/picture.svg': picture,
      '/frame': '<p>Within a frame.</p>',
    })
    expect({ end, name, warnings }).toEqual({ end: undefined, name: 'A page.mhtml', warnings: [] })
    for (const text of ['rebeccapurple', `${origin}/picture.svg`, 'Within a frame.', 'Made by a script, 1280']) {
      expect(mhtml).toContain(text)
    }
    expect(new Set(dials)).toEqual(new Set([origin.slice('http://'.length)]))
  })

  it('is as wide as the payload says, made up for print, and waits for what comes later [S-imp-25, L-page-window]', async () => {
    const payload = { viewport_width: 500, wait_ms: 10_000, media: 'print', filename: 'kept' }
    const { mhtml, name } = await visit(
      {
        '/': `<body><script>fetch('/late').then((r) => r.text()).then((t) => document.body.append(t,
          ' ', innerWidth, ' ', matchMedia('print').matches))</script>`,
        '/late': (_, response) => void setTimeout(() => response.end('came late'), 1500),
      },
      { payload },
    )
    expect(mhtml).toContain('came late 500 true')
    expect(name).toBe('kept.mhtml')
  })

  it.each([
    [403, 'source_forbidden'],
    [404, 'source_not_found'],
  ])('fails for status %i as %s [S-imp-26]', async (status, code) => {
    const { end, mhtml } = await visit({ '/': (_, response) => void response.writeHead(status).end('<p>sorry') })
    expect(end).toMatchObject({ code })
    expect(mhtml).toBe('')
  })

  it('sends credentials of the address to its own origin alone, once, and keeps them nowhere [S-imp-28]', async () => {
    const seen: Record<string, string[]> = { page: [], other: [] }
    const asking =
      (name: string, body: string): Route =>
      (request, response) => {
        seen[name]?.push(request.headers.authorization ?? 'none')
        const isOpen = request.headers.authorization === authorization
        const head = isOpen ? {} : { 'www-authenticate': 'Basic realm="x"' }
        response.writeHead(isOpen ? 200 : 401, { 'content-type': 'text/html', ...head }).end(body)
      }
    const authorization = `Basic ${Buffer.from('user:s3cret-word').toString('base64')}`
    await using other = await servePages({ '/': asking('other', 'never') })
    const page = asking('page', `<p>Inside</p><iframe src="${other.origin}/"></iframe>`)
    const { end, mhtml } = await visit({ '/': page }, { userinfo: 'user:s3cret-word' })
    expect(end).toBeUndefined()
    expect(seen).toEqual({ page: ['none', authorization], other: ['none'] })
    expect(mhtml).toContain('Inside')
    expect(mhtml).not.toContain('s3cret')
    const wrong = await visit({ '/': page }, { userinfo: 'user:wrong' })
    expect(wrong.end).toMatchObject({ code: 'source_unauthorized' })
  })

  it('saves the loaded page when it tries to navigate to another [S-imp-27, A12]', async () => {
    const { mhtml, asked } = await visit(
      {
        '/': `<p>The first.</p><script>onload = () => { fetch('/busy'); setTimeout(() => location = '/second', 300) }</script>`,
        '/busy': (_, response) => void setTimeout(() => response.end(), 1500),
        '/second': '<p>The second.</p>',
      },
      { payload: { wait_ms: 10_000 } },
    )
    expect(mhtml).toContain('The first.')
    expect(asked).toContain('/busy')
    expect(asked).not.toContain('/second')
  })

  it('follows a page that navigates before it has loaded [S-imp-27]', async () => {
    const { mhtml } = await visit({
      '/': redirect(302, '/hop'),
      '/hop': `<script>location.replace('/real')</script><img src="/slow">`,
      '/slow': (_, response) => void setTimeout(() => response.end(), 1000),
      '/real': '<title>Real</title><p>The real one.</p>',
    })
    expect(mhtml).toContain('The real one.')
  })

  it.each([302, 307, 308])(
    'fails with url_forbidden when %i redirects to a forbidden address [A12]',
    async (status) => {
      const { end, dials, origin } = await visit({ '/': redirect(status, 'http://169.254.169.254/latest/meta-data') })
      expect(end).toMatchObject({ code: 'url_forbidden' })
      expect(new Set(dials)).toEqual(new Set([origin.slice('http://'.length)]))
    },
  )

  it('names blocked hosts in a warning [S-imp-26]', async () => {
    const { end, warnings, mhtml } = await visit({
      '/': '<p>Shown<img src="http://10.0.0.1/a.png"><img src="http://metadata.internal/b.png">',
    })
    expect(end).toBeUndefined()
    expect(mhtml).toContain('Shown')
    expect(warnings).toEqual([expect.stringMatching(/10\.0\.0\.1:80/)])
  })

  it('does not download files [S-imp-27]', async () => {
    const file: Route = (_, response) =>
      void response.setHeader('content-disposition', 'attachment; filename=a.zip').end('PK')
    expect((await visit({ '/': file })).end).toMatchObject({ code: 'source_refused' })
  })

  it('is not delayed by dialogs, popups and pages that never finish loading [S-imp-27]', async () => {
    const { end, mhtml } = await visit({
      '/': `<p>Here</p><script>for (let n = 0; n < 20; n++) { alert(n); confirm(n); prompt(n) }
        open('/window'); Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {})
        onbeforeunload = () => 'stay'; print()</script>`,
    })
    expect(end).toBeUndefined()
    expect(mhtml).toContain('Here')
  })

  it('leaves out what exceeds its limits, with a warning [L-page-requests]', async () => {
    const images = Array.from({ length: 20 }, (_, n) => `<img src="/${n}.svg">`).join('')
    const { end, warnings, asked } = await visit(
      { '/': `<p>Here${images}`, '*': picture },
      { parts: { proxyLimits: { requests: 5 } } },
    )
    expect(end).toBeUndefined()
    expect(asked).toHaveLength(5)
    expect(warnings).toEqual([expect.stringContaining('more than a page may')])
  })

  it('ends with its deadline when a page computes without end [L-page-time]', async () => {
    const { end } = await visit({ '/': '<script>for (;;);</script>' }, { parts: { stepLimits: { timeMs: 6000 } } })
    expect(end).toMatchObject({ code: 'engine_timeout' })
  })

  it('rejects an untrusted certificate', async () => {
    const secure = createTlsServer(testCertificate, (_, response) => void response.end('<p>secret'))
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
    const { end } = await visit({}, { path: `https://127.0.0.1:${(secure.address() as AddressInfo).port}/` })
    secure.closeAllConnections()
    await new Promise((done) => secure.close(done))
    expect(end).toMatchObject({ code: 'source_unreachable', detail: 'net::ERR_CERT_AUTHORITY_INVALID' })
  })

  it('is stopped with its task, and leaves nothing', async () => {
    const stopping = new AbortController()
    const page: Route = (_, response) => {
      stopping.abort(new Error('the task was canceled'))
      response.setHeader('content-type', 'text/html').write('<p>')
    }
    await expect(visit({ '/': page }, { signal: stopping.signal })).rejects.toThrow('the task was canceled')
  })
})
