import { setTimeout as delay } from 'node:timers/promises'
import { createOutbound } from '@lathe/outbound'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowserRoom } from '../testing/browser-room.ts'
import { createFakeContext } from '../testing/fake-context.ts'
import { type PageServer, type Route, recordingDial, servePages } from '../testing/page-server.ts'
import { createCapture, type WebpageParts } from './webpage.ts'

const timeout = 120_000
let room: Awaited<ReturnType<typeof openBrowserRoom>>
let bench: PlanBench
let server: PageServer | undefined
beforeAll(async () => {
  room = await openBrowserRoom()
  bench = await openPlanBench()
}, timeout)
afterAll(async () => {
  await room?.[Symbol.asyncDispose]()
  await bench?.[Symbol.asyncDispose]()
})
afterEach(() => server?.[Symbol.asyncDispose]())

/** Captures the first page of a server with these routes. */
async function take(
  routes: Record<string, Route>,
  payload: Record<string, unknown> = {},
  { userinfo = '', parts = {} }: { userinfo?: string; parts?: Partial<WebpageParts> } = {},
) {
  server = await servePages(routes)
  const dials: string[] = []
  await using outbound = createOutbound(
    { allow: ['127.0.0.1/32'] },
    { connect: recordingDial(dials), resolve: async () => [] },
  )
  const { context, saved, contents, warnings } = createFakeContext({ maxSize: 10_000_000 })
  const importer = createCapture({ outbound, browser: room, ...parts })
  const url = `${server.origin.replace('//', `//${userinfo}`)}/`
  const end = await importer.run({ url, ...payload }, context)
  const bytes = contents[0] ?? Buffer.alloc(0)
  return { end, bytes, name: saved[0]?.filename, warnings, dials, asked: server.asked, origin: server.origin }
}

async function wordsOf(pdf: Buffer): Promise<string> {
  const { stdout } = await bench.tool('pdftotext', ['-layout', 'in-0.pdf', '-'], { files: { 'in-0.pdf': pdf } })
  return stdout
}

async function factsOf(pdf: Buffer): Promise<string> {
  return (await bench.tool('pdfinfo', ['in-0.pdf'], { files: { 'in-0.pdf': pdf } })).stdout
}

/** The color of a pixel. */
async function colourAt(image: Buffer, left: number, top: number): Promise<number[]> {
  const point = sharp(image).removeAlpha().extract({ left, top, width: 1, height: 1 })
  return [...(await point.raw().toBuffer())]
}

const isNear = (given: readonly number[], wanted: readonly number[]) =>
  given.every((value, n) => Math.abs(value - (wanted[n] ?? 0)) < 12)

const html = `<!DOCTYPE html><title>A page</title><style>body { margin: 0; background: rgb(0, 0, 255) }
    @media print { p::after { content: ' in print' } }</style>
  <canvas width="100" height="100"></canvas><p>Häuser am Fluß</p><div style="height: 1500px"></div><p>The end.</p>
  <script>const draw = document.querySelector('canvas').getContext('2d'); draw.fillStyle = 'rgb(255, 0, 0)'
    draw.fillRect(0, 0, 100, 100); document.body.append('Made by a script')</script>`

const blue: Route = (_, response) =>
  void response
    .setHeader('content-type', 'image/svg+xml')
    .end(
      '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50" fill="rgb(0,0,255)"/></svg>',
    )

describe('capture', { timeout }, () => {
  it('prints a page, and names the file after its title [S-imp-30]', async () => {
    const { end, bytes, name, warnings } = await take({ '/': html })
    expect({ end, name, warnings }).toEqual({ end: undefined, name: 'A page.pdf', warnings: [] })
    const words = await wordsOf(bytes)
    for (const text of ['Häuser am Fluß in print', 'The end.', 'Made by a script']) expect(words).toContain(text)
    expect(await factsOf(bytes)).toMatch(/Pages: +2\n[\s\S]*Page size: +59[45]\.\d+ x 84[12](\.\d+)? pts \(A4\)/)
  })

  it('prints with the options of the payload [S-imp-31]', async () => {
    const payload = { paper_size: 'letter', orientation: 'landscape', pages: '1', media: 'screen', filename: 'kept' }
    const { bytes, name } = await take({ '/': html }, payload)
    expect(name).toBe('kept.pdf')
    expect(await factsOf(bytes)).toMatch(/Pages: +1\n[\s\S]*Page size: +792 x 612 pts \(letter\)/)
    expect(await wordsOf(bytes)).not.toContain('in print')
    expect((await take({ '/': html }, { pages: '500' })).end).toMatchObject({ code: 'unsupported' })
  })

  it('draws the whole page, including what its scripts have drawn [S-imp-30]', async () => {
    const { bytes, name } = await take({ '/': html }, { output_format: 'png', viewport_width: 600 })
    const { width, height, format } = await sharp(bytes).metadata()
    expect({ name, width, format }).toEqual({ name: 'A page.png', width: 600, format: 'png' })
    expect(height).toBeGreaterThan(1600)
    expect(await colourAt(bytes, 50, 50)).toEqual([255, 0, 0])
    expect(await colourAt(bytes, 500, 1500)).toEqual([0, 0, 255])
  })

  it('draws only the visible part on request [S-imp-30]', async () => {
    const window = { viewport_width: 320, viewport_height: 240, full_page: false, quality: 80 }
    const { bytes, name } = await take({ '/': html }, { output_format: 'jpg', ...window })
    const { width, height, format } = await sharp(bytes).metadata()
    expect({ name, width, height, format }).toEqual({ name: 'A page.jpg', width: 320, height: 240, format: 'jpeg' })
    expect(isNear(await colourAt(bytes, 50, 50), [255, 0, 0])).toBe(true)
  })

  it('saves an archive [S-imp-30]', async () => {
    const { bytes, name } = await take({ '/': html }, { output_format: 'mhtml' })
    expect(name).toBe('A page.mhtml')
    expect(bytes.toString().replaceAll('=\r\n', '')).toContain('Made by a script')
  })

  it('crops an image that would be too long, with a warning [S-imp-34, L-page-height]', async () => {
    const long = '<!DOCTYPE html><body style="margin: 0"><div style="height: 20000px">'
    const { bytes, warnings } = await take({ '/': long }, { output_format: 'png', viewport_width: 64 })
    expect((await sharp(bytes).metadata()).height).toBe(16_384)
    expect(warnings).toEqual(['The page is longer than 16384 pixels, and was cut there.'])
  })

  it('shows images that load only when they are seen, in images and on paper [S-imp-34, L-page-time]', async () => {
    const observed = `new IntersectionObserver(([{ isIntersecting }], all) => {
      if (isIntersecting) { all.disconnect(); document.querySelector('#seen').src = '/seen.svg' } })
      .observe(document.querySelector('#seen'))`
    const lazy = `<!DOCTYPE html><html style="scroll-behavior: smooth"><body style="margin: 0">
      <div style="height: 9000px"></div><img id="seen" width="50" height="50" style="display: block">
      <img loading="lazy" src="/lazy.svg" width="50" height="50" style="display: block"><script>${observed}</script>`
    const routes = { '/': lazy, '/lazy.svg': blue, '/seen.svg': blue }
    const { bytes } = await take(routes, { output_format: 'png' })
    expect((await sharp(bytes).metadata()).height).toBe(9100)
    expect([await colourAt(bytes, 25, 9025), await colourAt(bytes, 25, 9075)]).toEqual([
      [0, 0, 255],
      [0, 0, 255],
    ])
    expect((await take(routes)).asked).toEqual(expect.arrayContaining(['/seen.svg', '/lazy.svg']))
    expect((await take(routes, { output_format: 'png', full_page: false })).asked).not.toContain('/seen.svg')
  })

  it('saves nothing over the file size limit', async () => {
    server = await servePages({ '/': html })
    await using outbound = createOutbound(
      { allow: ['127.0.0.1/32'] },
      { connect: recordingDial([]), resolve: async () => [] },
    )
    const { context, saved } = createFakeContext({ maxSize: 1000 })
    const importer = createCapture({ outbound, browser: room })
    expect(await importer.run({ url: `${server.origin}/` }, context)).toMatchObject({ code: 'limit_exceeded' })
    expect(saved).toEqual([])
  })

  it('ends with its deadline when a page computes without end [L-page-time]', async () => {
    const { end } = await take({ '/': '<script>for (;;);</script>' }, {}, { parts: { stepLimits: { timeMs: 6000 } } })
    expect(end).toMatchObject({ code: 'engine_timeout' })
  })
})

describe('wait_for [S-imp-32]', { timeout }, () => {
  const late = `<p>Early</p><script>document.querySelector = () => ({})
    setTimeout(() => { const one = document.createElement('div'); one.className = 'la"te'
    one.textContent = 'Came late'; document.body.append(one) }, 3000)</script>`

  it('waits for an element that a script adds, whatever the page says of its elements', async () => {
    const { end, bytes, warnings } = await take({ '/': late }, { wait_for: 'div[class="la\\"te"]', wait_ms: 0 })
    expect([end, warnings]).toEqual([undefined, []])
    expect(await wordsOf(bytes)).toContain('Came late')
  })

  it('captures a page without the element after the timeout, with a warning [L-page-time]', async () => {
    const { bytes, warnings } = await take({ '/': late }, { wait_for: '#never' })
    expect(warnings).toEqual(['No element matched wait_for within 10 seconds; the page was taken as it was.'])
    expect(await wordsOf(bytes)).toContain('Early')
  })

  it.each(['div[', '', '::: x', '1', 'a{}', "');document.title='HELD';('", '"', '*/alert(1)/*'])(
    'refuses %j without loading a page',
    async (wait_for) => {
      const { end, asked } = await take({ '/': late }, { wait_for })
      expect(end).toMatchObject({ code: 'unsupported', text: 'wait_for is not a valid CSS selector.' })
      expect(asked).toEqual([])
    },
  )

  // Each selector also matches an existing element, so that the test does not wait.
  it.each([
    `a[title="'); document.title = 'HELD'; ('"], p`,
    `a[title='"); document.title = "HELD"; ("'], p`,
    `a[title="\${document.title = 'HELD'}"], p`,
    `p:not([title="\`; document.title = 'HELD'"])`,
  ])('runs no script in %s', async (wait_for) => {
    const { end, name } = await take({ '/': '<title>Plain</title><p>Here' }, { wait_for, wait_ms: 0 })
    expect({ end, name }).toEqual({ end: undefined, name: 'Plain.pdf' })
  })
})

it('a captured page is there until it has been saved, however long that takes', { timeout }, async () => {
  const slow = async (...given: Parameters<typeof room.openOutput>) => {
    await delay(500)
    return room.openOutput(...given)
  }
  const { end, bytes } = await take({ '/': html }, {}, { parts: { browser: { ...room, openOutput: slow } } })
  expect(end).toBeUndefined()
  expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
})

describe('the header of a capture [S-imp-33]', { timeout }, () => {
  it('is on every page, with its placeholders filled in', async () => {
    const header = 'Über {title} · {page} of {pages}'
    const { end, bytes, origin } = await take({ '/': html }, { header, footer: '{url} {date}', margin: 0 })
    expect(end).toBeUndefined()
    const words = await wordsOf(bytes)
    for (const text of ['Über A page · 1 of 2', 'Über A page · 2 of 2']) expect(words).toContain(text)
    expect(words.match(new RegExp(`${origin}/ \\d{4}-\\d{2}-\\d{2}`, 'g'))).toHaveLength(2)
  })

  it.each([
    '<script>document.body.append("RAN")</script>',
    '{page}<img src="$/header.png">',
    '</div><b>x</b> &amp; <!--',
  ])('of %s is text, and fetches nothing', async (given) => {
    await using other = await servePages({ '*': 'never' })
    const header = given.replace('$', other.origin)
    const { bytes, asked } = await take({ '/': '<title>A</title><p>Here' }, { header, footer: header })
    const shown = header.replace('{page}', '1')
    expect((await wordsOf(bytes)).replaceAll(/\s+/g, ' ').split(shown)).toHaveLength(3)
    expect({ asked: asked.filter((path) => path !== '/favicon.ico'), others: other.asked }).toEqual({
      asked: ['/'],
      others: [],
    })
  })

  it('shows a title that is HTML as text, too', async () => {
    const title = '<title>&lt;img src="/title.png"&gt;</title>'
    const { bytes, asked } = await take({ '/': `${title}<p>Here` }, { header: '{title}' })
    expect(await wordsOf(bytes)).toContain('<img src="/title.png">')
    expect(asked).not.toContain('/title.png')
  })
})

describe('credentials of the address of a capture', { timeout }, () => {
  it.each(['pdf', 'mhtml'])('are in no %s [S-imp-35]', async (output_format) => {
    const authorization = `Basic ${Buffer.from('user:s3cret-word').toString('base64')}`
    const closed: Route = (request, response) => {
      const isOpen = request.headers.authorization === authorization
      const head = isOpen ? {} : { 'www-authenticate': 'Basic realm="x"' }
      response.writeHead(isOpen ? 200 : 401, { 'content-type': 'text/html', ...head }).end('<p>Inside')
    }
    const texts = output_format === 'pdf' ? { header: '{url} {title}' } : {}
    const payload = { output_format, ...texts }
    const { end, bytes, name } = await take({ '/': closed }, payload, { userinfo: 'user:s3cret-word@' })
    expect(end).toBeUndefined()
    const text = output_format === 'pdf' ? await wordsOf(bytes) : bytes.toString()
    expect(text).toContain('Inside')
    expect(`${text} ${name} ${await (output_format === 'pdf' ? factsOf(bytes) : '')}`).not.toMatch(/s3cret|user/)
  })
})
