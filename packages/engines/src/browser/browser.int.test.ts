import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { makeMhtml, samplePage } from '../../../../fixtures/page.ts'

const bench = usePlanBench()

async function run(to: string, options: Record<string, unknown> = {}, content = samplePage) {
  return bench.run({ operation: 'convert', sources: [{ format: 'mhtml', content }], to, options })
}

async function convert(to: string, options: Record<string, unknown> = {}, content = samplePage) {
  const end = await run(to, options, content)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  const [file] = end.files
  if (!file) throw new Error('nothing came out')
  return { bytes: file.bytes, warnings: end.warnings }
}

async function wordsOf(pdf: Buffer): Promise<string> {
  const { stdout } = await bench.tool('pdftotext', ['in-0.pdf', '-'], { files: { 'in-0.pdf': pdf } })
  return stdout
}

async function factsOf(pdf: Buffer): Promise<string> {
  return (await bench.tool('pdfinfo', ['in-0.pdf'], { files: { 'in-0.pdf': pdf } })).stdout
}

describe('a stored page', () => {
  it('is printed with its words, its frame and its style for paper', { timeout: 120_000 }, async () => {
    const { bytes } = await convert('pdf')
    const words = await wordsOf(bytes)
    for (const text of ['Häuser am Fluß in print', 'Within a frame.', 'The end.']) expect(words).toContain(text)
    expect(words).not.toContain('SCRIPT RAN')
    expect(await factsOf(bytes)).toMatch(/Page size: +59[45]\.\d+ x 84[12](\.\d+)? pts \(A4\)/)
  })

  it('is printed as the options say', { timeout: 120_000 }, async () => {
    const { bytes } = await convert('pdf', {
      paper_size: 'letter',
      orientation: 'landscape',
      pages: '1',
      media: 'screen',
      margin: 0,
      scale: 0.5,
      print_background: false,
    })
    expect(await factsOf(bytes)).toMatch(/Pages: +1\n[\s\S]*Page size: +792 x 612 pts \(letter\)/)
    expect(await wordsOf(bytes)).not.toContain('in print')
    expect(await run('pdf', { pages: '500' })).toMatchObject({
      code: 'unsupported',
      text: expect.stringMatching(/names a page/),
    })
  })

  it('is drawn whole, as wide as its window', { timeout: 120_000 }, async () => {
    const { bytes } = await convert('png', { viewport_width: 700 })
    const { width, height, format } = await sharp(bytes).metadata()
    expect({ width, height, format }).toEqual({ width: 700, height: 2000, format: 'png' })
    // The image is directly below the line of the heading, at the left.
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const blue = Array.from({ length: 200 }, (_, y) => [...data.subarray(y * info.width * 3, y * info.width * 3 + 3)])
    expect(blue).toContainEqual([0, 0, 255])
  })

  it('is drawn as far as the window shows it [L-page-window]', { timeout: 120_000 }, async () => {
    const { bytes } = await convert('jpg', { viewport_width: 320, viewport_height: 240, full_page: false, quality: 50 })
    const { width, height, format } = await sharp(bytes).metadata()
    expect({ width, height, format }).toEqual({ width: 320, height: 240, format: 'jpeg' })
  })

  it.each([
    ['one below', 16_383, 16_383, []],
    ['the limit', 16_384, 16_384, []],
    ['one above', 16_385, 16_384, ['The page is longer than 16384 pixels, and was cut there.']],
  ])(
    'is drawn to its end or cut at 16,384 pixels: %s [L-page-height]',
    { timeout: 120_000 },
    async (_, long, drawn, reported) => {
      const page = `<!DOCTYPE html><body style="margin:0"><div style="height:${long}px">`
      const content = makeMhtml([{ type: 'text/html', location: 'http://a.example/', content: page }])
      const { bytes, warnings } = await convert('png', { viewport_width: 64 }, content)
      expect((await sharp(bytes).metadata()).height).toBe(drawn)
      expect(warnings).toEqual(reported)
    },
  )

  it('becomes one file in which nothing runs and from which nothing is fetched [A15]', {
    timeout: 120_000,
  }, async () => {
    const { bytes } = await convert('html')
    const html = bytes.toString()
    for (const kept of [
      'Häuser am Fluß',
      'Within a frame.',
      'href="http://pages.example/good"',
      "default-src 'none'",
    ]) {
      expect(html).toContain(kept)
    }
    for (const gone of ['SCRIPT RAN', 'onload', 'javascript:', 'refresh', 'elsewhere', 'cid:', 'parent.document']) {
      expect(html).not.toContain(gone)
    }
    const links = [...html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, url]) => url)
    expect(links).toEqual(['http://pages.example/good'])
    const style = /data:text\/css;charset=utf-8;base64,([^"]+)"/.exec(html)?.[1] ?? ''
    expect(Buffer.from(style, 'base64').toString()).toMatch(/background: url\("data:image\/svg\+xml;base64,/)
  })
})

describe('a hostile page', () => {
  // Files of the engine root and of the runner that a browser in the sandbox could read.
  const places = [
    'file:///etc/passwd',
    'file:///proc/self/environ',
    'file:///opt/lathe/runners/runner.mjs',
    '/etc/passwd',
  ]
  const ways = (url: string) =>
    `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><img src="${url}">
     <link rel="stylesheet" href="${url}"><script src="${url}"></script><link rel="import" href="${url}">
     <svg><image href="${url}"/><use href="${url}#a"/></svg><video src="${url}"></video>
     <style>@import "${url}"; p { background: url("${url}") }</style>`
  const content = makeMhtml([
    {
      type: 'text/html',
      location: 'file:///job/1/in-0.mhtml',
      content: `<p>Shown.</p>${places.map(ways).join('')}
        <script>fetch('file:///etc/passwd').then((r) => r.text()).then((t) => document.body.append(t))</script>`,
    },
  ])

  it.each(['pdf', 'html'])('shows nothing of other files as %s [A12]', { timeout: 120_000 }, async (to) => {
    const { bytes } = await convert(to, {}, content)
    const text = to === 'pdf' ? await wordsOf(bytes) : bytes.toString()
    expect(text).toContain('Shown.')
    for (const word of ['nogroup', 'nologin', 'TMPDIR', 'import {']) expect(text).not.toContain(word)
  })

  it.each([
    ['no boundary', 'MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\nx'],
    ['no page', makeMhtml([{ type: 'image/png', location: 'http://a.example/', content: 'x' }])],
  ])('with %s is damaged, not a crash', { timeout: 120_000 }, async (_, broken) => {
    expect(await run('html', {}, broken)).toMatchObject({ code: 'input_damaged' })
  })

  it('that names one large part without end is refused while it grows [L-page-html]', {
    timeout: 120_000,
  }, async () => {
    const large = 'x'.repeat(2_000_000)
    const picture = { type: 'image/png', location: 'http://a.example/p', content: large }
    const page = { type: 'text/html', location: 'http://a.example/', content: '<img src="/p">'.repeat(200) }
    expect(await run('html', {}, makeMhtml([page, picture]))).toMatchObject({ code: 'limit_exceeded' })
  })
})
