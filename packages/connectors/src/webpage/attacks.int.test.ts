import { createSocket } from 'node:dgram'
import { createOutbound } from '@lathe/outbound'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowserRoom } from '../testing/browser-room.ts'
import { createFakeContext } from '../testing/fake-context.ts'
import { channels, localAddresses } from '../testing/hostile-pages.ts'
import { type PageServer, type Route, recordingDial, servePages } from '../testing/page-server.ts'
import { createCapture, createWebpageImporter } from './webpage.ts'

const timeout = 180_000
const names = Object.keys(channels)
const token = 'TRIPWIRE-CONTENT'

let room: Awaited<ReturnType<typeof openBrowserRoom>>
/** On an address that is not allowed: it must never get a request. */
let tripwire: PageServer
beforeAll(async () => {
  room = await openBrowserRoom()
  tripwire = await servePages({ '*': token }, '127.0.0.2')
}, timeout)
afterAll(async () => {
  await room?.[Symbol.asyncDispose]()
  await tripwire?.[Symbol.asyncDispose]()
})

const serviceWorker: Route = (request, response) => {
  const target = decodeURIComponent(request.url?.split('?')[1] ?? '')
  response.setHeader('content-type', 'text/javascript').end(`fetch('${target}'); oninstall = () => fetch('${target}')`)
}

/** A page with a frame for every channel and target, and the pages in them. Each tries to reach a URL with its name. */
function pagesOf(...targets: readonly string[]): Record<string, Route> {
  const pages = targets.flatMap((target, n) =>
    names.map((name) => [`/by/${n}/${name}`, channels[name]?.(`${target}/${name}`) ?? ''] as const),
  )
  const frames = pages.map(([path]) => `<iframe src="${path}"></iframe>`)
  return {
    '/': `<p>Shown.</p>${frames.join('')}<script>fetch('/busy')</script>`,
    // Pages that only try after loading have this long.
    '/busy': (_, response) => void setTimeout(() => response.end(), 4000),
    '/service-worker.js': serviceWorker,
    ...Object.fromEntries(pages),
  }
}

/** The importers that open pages, by operation. */
const opens = { 'import/webpage': createWebpageImporter, capture: createCapture } as const

interface Visit extends Readonly<Record<string, unknown>> {
  readonly operation?: keyof typeof opens
}

async function visit(routes: Record<string, Route>, { operation = 'import/webpage', ...payload }: Visit = {}) {
  await using server = await servePages(routes)
  const dials: string[] = []
  const lookups: string[] = []
  await using outbound = createOutbound(
    { allow: ['127.0.0.1/32'] },
    {
      connect: recordingDial(dials),
      resolve: async (name) => {
        lookups.push(name)
        return name.startsWith('rebound') ? ['93.184.216.34', '127.0.0.2'] : ['127.0.0.2']
      },
    },
  )
  const { context, saved, warnings } = createFakeContext({ maxSize: 50_000_000 })
  const url = `${server.origin}/`
  const importer = opens[operation]({ outbound, browser: room })
  const end = await importer.run({ url, wait_ms: 8000, ...payload }, context)
  const own = server.origin.slice('http://'.length)
  const strays = [...new Set(dials.filter((dial) => dial !== own))]
  // Soft line breaks of quoted-printable would split words.
  const text = saved[0]?.text.replaceAll('=\r\n', '') ?? ''
  return { end, text, strays, lookups, warnings, asked: server.asked, origin: server.origin }
}

describe('a page that sends requests [A12]', { timeout }, () => {
  it('succeeds by nearly every channel if it is allowed, so that the tests below mean something', async () => {
    const hits: string[] = []
    await using allowed = await servePages({
      '*': (request, response) => {
        hits.push((request.url ?? '').slice(1))
        response.setHeader('content-type', 'text/html').end('<p>reached')
      },
    })
    await visit(pagesOf(allowed.origin))
    const reached = names.filter((name) => hits.includes(name))
    const quiet = names.filter((name) => !hits.includes(name))
    // Secure channels find no certificate, hints and windows are disabled, and no page can open its own socket.
    const expected = ['wss', 'preconnect', 'prerender', 'open', 'webrtc', 'webtransport', 'view-source', 'manifest']
    expect(quiet.filter((name) => !expected.includes(name))).toEqual([])
    expect(reached.length).toBeGreaterThanOrEqual(names.length - expected.length)
  })

  it(`to internal hosts, to metadata services or to their names fails by any of ${names.length} channels`, async () => {
    const udp = createSocket('udp4')
    const datagrams: string[] = []
    udp.on('message', (message) => datagrams.push(String(message)))
    await new Promise<void>((done) => udp.bind(tripwire.port, '127.0.0.2', done))
    const targets = [tripwire.origin, 'http://169.254.169.254/latest', `http://rebound.example.com:${tripwire.port}`]
    const { end, text, strays, lookups } = await visit(pagesOf(...targets))
    udp.close()
    const reached = { end, strays, hits: tripwire.asked, datagrams }
    expect(reached).toEqual({ end: undefined, strays: [], hits: [], datagrams: [] })
    expect(lookups).toContain('rebound.example.com')
    expect(text).toContain('Shown.')
    expect(text).not.toContain(token)
  })

  it.each(['form', 'refresh', 'location', 'open'])('by %s of the whole page fails as well', async (name) => {
    const page = `<p>Shown.</p>${channels[name]?.(`${tripwire.origin}/${name}`)}`
    const { strays } = await visit({ '/': page }, { wait_ms: 1000 })
    expect({ strays, hits: tripwire.asked }).toEqual({ strays: [], hits: [] })
  })

  it('to files and inner pages of its browser shows none of them', async () => {
    const frames = localAddresses.map(
      (url) => `<iframe src="${url}"></iframe><object data="${url}"></object><img src="${url}">`,
    )
    const reads = localAddresses.map(
      (url) => `fetch('${url}').then((r) => r.text()).then((t) => document.body.append(t)).catch(() => {});`,
    )
    const { text, strays } = await visit({ '/': `<p>Shown.</p>${frames.join('')}<script>${reads.join('')}</script>` })
    expect(text).toContain('Shown.')
    for (const word of ['nogroup', 'nologin', 'TMPDIR', 'chromium-headless-shell', 'HeadlessChrome']) {
      expect(text).not.toContain(word)
    }
    expect(strays).toEqual([])
  })

  it.each(['file:///etc/passwd', 'view-source:file:///etc/passwd', 'chrome://version/'])(
    'by going to %s itself shows nothing of it',
    async (url) => {
      const { text } = await visit({ '/': `<p>Shown.</p><script>location = '${url}'</script>` }, { wait_ms: 500 })
      for (const word of ['nogroup', 'nologin', 'TMPDIR', 'chromium-headless-shell']) expect(text).not.toContain(word)
    },
  )

  it('to its own loopback reaches the proxy, never the browser or another process [D-op-59]', async () => {
    const ports = [9222, 9229, 9515, 4444]
    const probes = ports.map(
      (port) => `fetch('http://127.0.0.1:${port}/json/version').then((r) => r.text())
        .then((t) => document.body.append('${port} read'), () => document.body.append('${port} closed '));`,
    )
    const { text, strays } = await visit({ '/': `<p>Shown.</p><script>${probes.join('')}</script>` })
    for (const port of ports) expect(text).toContain(`${port} closed`)
    // The worker dialed each port outside the sandbox: a page cannot reach the loopback device of the sandbox.
    expect(strays.toSorted()).toEqual(ports.map((port) => `127.0.0.1:${port}`).toSorted())
  })
})

describe('a captured page that sends requests [A12]', { timeout }, () => {
  // A page that is scrolled, printed and drawn has more opportunities.
  const late = (target: string) => `<p>Shown.</p><div style="height: 3000px"></div>
    <img loading="lazy" src="${target}/lazy"><link rel="stylesheet" media="print" href="${target}/print">
    <style>@media print { p { background: url(${target}/paper) } }</style><script>
      for (const name of ['scroll', 'beforeprint', 'afterprint', 'resize']) addEventListener(name, () => {
        fetch('${target}/' + name).catch(() => {}); new Image().src = '${target}/' + name + '-image' })
      addEventListener('beforeprint', () => { location = '${target}/location' })</script>`

  it('succeeds if it is allowed, so that the tests below mean something', async () => {
    await using allowed = await servePages({ '*': '<p>reached' })
    await visit({ '/': late(allowed.origin) }, { operation: 'capture', wait_ms: 0 })
    expect(allowed.asked).toEqual(expect.arrayContaining(['/lazy', '/print', '/paper', '/scroll', '/scroll-image']))
  })

  it.each(['pdf', 'png', 'mhtml'])('fails as %s [S-imp-35]', async (output_format) => {
    const targets = [tripwire.origin, 'http://169.254.169.254/latest', `http://rebound.example.com:${tripwire.port}`]
    for (const target of targets) {
      const { end, strays } = await visit({ '/': late(target) }, { operation: 'capture', wait_ms: 0, output_format })
      expect({ end, strays, hits: tripwire.asked }).toEqual({ end: undefined, strays: [], hits: [] })
    }
  })

  it('fails by any channel', async () => {
    const { end, strays } = await visit(pagesOf(tripwire.origin), { operation: 'capture' })
    expect({ end, strays, hits: tripwire.asked }).toEqual({ end: undefined, strays: [], hits: [] })
  })

  it.each(['file:///etc/passwd', 'chrome://version/'])('by way of %s shows nothing of it', async (url) => {
    const page = `<p>Shown.</p><iframe src="${url}"></iframe><img src="${url}"><script>
      addEventListener('beforeprint', () => { location = '${url}' })</script>`
    const { text } = await visit({ '/': page }, { operation: 'capture', output_format: 'mhtml', wait_ms: 500 })
    expect(text).toContain('Shown.')
    for (const word of ['nogroup', 'nologin', 'TMPDIR', 'chromium-headless-shell']) expect(text).not.toContain(word)
  })

  it('is forbidden when it redirects to a forbidden address', async () => {
    const away: Route = (_, response) => void response.writeHead(302, { location: `${tripwire.origin}/` }).end()
    const { end, strays } = await visit({ '/': away }, { operation: 'capture' })
    expect(end).toMatchObject({ code: 'url_forbidden' })
    expect({ strays, hits: tripwire.asked }).toEqual({ strays: [], hits: [] })
  })
})

describe('a forbidden address [A12]', () => {
  const quads = ['127.0.0.2', '10.0.0.1', '169.254.169.254', '192.168.1.1', '172.16.0.1', '100.64.0.1', '0.0.0.0']
  const spell = (quad: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = quad.split('.').map(Number)
    const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
    const hex = (n: number) => `0x${n.toString(16)}`
    const octal = (n: number) => `0${n.toString(8)}`
    return [
      ...[
        quad,
        String(whole),
        hex(whole),
        octal(whole),
        `${a}.${(b << 16) | (c << 8) | d}`,
        `${a}.${b}.${(c << 8) | d}`,
      ],
      ...[[a, b, c, d].map(hex).join('.'), [a, b, c, d].map(octal).join('.'), quad.replaceAll('.', '。')],
      ...[
        `[::ffff:${quad}]`,
        `[::${quad}]`,
        `[64:ff9b::${quad}]`,
        `[::ffff:0:${quad}]`,
        `user@${quad}`,
        `${quad}:8080`,
      ],
    ]
  }
  const others = [
    'localhost',
    'x.localhost',
    'metadata.google.internal',
    '[::1]',
    '[::]',
    '[fd00::1]',
    '[fe80::1]',
    'printer',
  ]
  const hosts = [...quads.flatMap(spell), ...others]
  const tricks = [
    'file:///etc/passwd',
    'ftp://a.example/',
    'chrome://version',
    'view-source:http://a.example/',
    'data:text/html,x',
  ]
  const ports = [22, 25, 5432, 6379, 11211].map((port) => `http://www.example.com:${port}/`)
  const urls = [...hosts.flatMap((host) => [`http://${host}/`, `https://${host}/`]), ...tricks, ...ports]

  it(`is refused before a browser starts, in all ${urls.length} spellings [S-imp-35]`, { timeout }, async () => {
    expect(urls.length).toBeGreaterThanOrEqual(120)
    const dials: string[] = []
    const lookups: string[] = []
    const resolve = async (name: string) => {
      lookups.push(name)
      return ['127.0.0.2']
    }
    await using outbound = createOutbound({ allow: [] }, { connect: recordingDial(dials), resolve })
    const importers = Object.values(opens).map((create) => create({ outbound, browser: room }))
    const before = room.visits()
    const passed: string[] = []
    for (const url of urls) {
      const ends = importers.map((importer) => importer.run({ url }, createFakeContext().context))
      if ((await Promise.all(ends)).some((end) => end?.code !== 'url_forbidden')) passed.push(url)
    }
    expect({ passed, dials, lookups, visits: room.visits() - before }).toEqual({
      passed: [],
      dials: [],
      lookups: [],
      visits: 0,
    })
  })

  it('is refused when only DNS reveals it', { timeout }, async () => {
    const dials: string[] = []
    const resolve = async () => ['93.184.216.34', '127.0.0.2']
    await using outbound = createOutbound({ allow: [] }, { connect: recordingDial(dials), resolve })
    for (const create of Object.values(opens)) {
      const importer = create({ outbound, browser: room })
      for (const url of ['http://rebound.example.com/', 'https://rebound.example.com/']) {
        const end = await importer.run({ url }, createFakeContext().context)
        expect(end).toMatchObject({ code: 'url_forbidden' })
      }
    }
    expect(dials).toEqual([])
  })
})
