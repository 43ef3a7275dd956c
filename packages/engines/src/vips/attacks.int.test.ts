import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { startRunner, type TestRunner } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { planTask } from '../registry.ts'

// Outputs share a name, and the cache of libvips would return the pixels of an earlier one.
sharp.cache(false)

let runner: TestRunner
let tripwire: Server
let folder: string
let hits = 0

beforeAll(async () => {
  runner = await startRunner(join(import.meta.dirname, 'runner.mjs'))
  tripwire = createServer((socket) => {
    hits++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tripwire, 'listening')
})
afterAll(async () => {
  await runner[Symbol.asyncDispose]()
  tripwire.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-attack-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function convert(content: string | Uint8Array, from: string, { to = 'png', options = {} } = {}) {
  await writeFile(join(folder, `in-0.${from}`), content)
  const sources = [{ file: `in-0.${from}`, format: from, size: 1, filename: 'x' }]
  const plan = planTask({ operation: 'convert', sources, to, options })
  if (plan.kind === 'failure' || plan.steps[0]?.kind !== 'call') throw new Error('no plan')
  // Tests in ../magick cover what other decoders do with it.
  return runner.call(folder, { ...plan.steps[0].request, rescue: false })
}

const fixture = (name: FixtureName) => readFile(fixturePath(name))

/** Checks that the runner still works after an attack. */
async function stillWorks() {
  expect(await convert(await fixture('photo-40k.jpg'), 'jpg')).toMatchObject({ ok: true })
}

describe('damaged images [A13]', () => {
  const whole = ['photo-40k.jpg', 'alpha.png', 'photo.webp', 'photo.avif', 'photo.tiff', 'animated.gif'] as const
  const cases = whole.flatMap((name) => [0, 0.02, 0.5, 0.9].map((share) => [name, share] as const))

  it.each(cases)('A13: %s cut to %d of itself is refused as damaged if asked to be strict', async (name, share) => {
    const bytes = await fixture(name)
    const format = name.slice(name.indexOf('.') + 1)
    const cut = bytes.subarray(0, bytes.length * share)
    const answer = await convert(cut, format, { to: 'webp', options: { strict: true } })
    expect(answer).toMatchObject({ ok: false, code: 'input_damaged', text: expect.stringContaining(format) })
  })

  it.each(whole)('A13: %s cut to nothing but its start is refused', async (name) => {
    const bytes = await fixture(name)
    const format = name.slice(name.indexOf('.') + 1)
    for (const length of [0, 24, bytes.length * 0.01]) {
      expect(await convert(bytes.subarray(0, length), format, { to: 'webp' })).toMatchObject({ code: 'input_damaged' })
    }
  })

  it.each(['photo-40k.jpg', 'alpha.png', 'animated.gif'] as const)(
    'A13: %s without its end is converted as far as it goes, with a warning',
    async (name) => {
      const bytes = await fixture(name)
      const format = name.slice(name.indexOf('.') + 1)
      const answer = await convert(bytes.subarray(0, bytes.length * 0.9), format, { to: 'webp' })
      const warnings = [expect.stringContaining('damaged or incomplete')]
      expect(answer).toMatchObject({ ok: true, result: { warnings } })
      const { width, height } = await sharp(bytes).metadata()
      expect(await sharp(join(folder, 'out-0.webp')).metadata()).toMatchObject({ width, height })
    },
  )

  it('A13: with flipped bytes never end the runner, and end in an image or a refusal', async () => {
    for (const name of whole) {
      const bytes = await fixture(name)
      const format = name.slice(name.indexOf('.') + 1)
      for (let seed = 1; seed <= 8; seed++) {
        const mutant = Buffer.from(bytes)
        for (let n = 0; n < 10; n++) mutant[(seed * 7919 * (n + 1) ** 2) % mutant.length] = seed * 31 + n
        const answer = await convert(mutant, format, { to: 'jpg' })
        if (!answer.ok) expect(['input_damaged', 'limit_exceeded', 'unsupported']).toContain(answer.code)
      }
    }
    await stillWorks()
  })

  it.each([
    [
      'an ImageMagick script',
      'push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 "text:/etc/passwd"\n',
      'png',
    ],
    ['a page', '<html><body>hello', 'jpg'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'png'],
  ])('A01: that are really %s are refused', async (_, content, format) => {
    expect(await convert(content, format)).toMatchObject({ ok: false, code: 'input_damaged' })
  })

  it('A14: that are another format than declared are refused, though readable', async () => {
    expect(await convert(await fixture('photo.webp'), 'png')).toMatchObject({ ok: false, code: 'input_damaged' })
  })
})

describe('pixel bombs [B02]', () => {
  it('B02: of a PNG that claims 65,535 x 65,535 are refused from the header', async () => {
    const started = performance.now()
    const answer = await convert(await pngOfSize(65_535, 65_535), 'png')
    expect(answer).toMatchObject({ ok: false, code: 'limit_exceeded', text: expect.stringContaining('268402689') })
    // Decoding its pixels would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('B02: of one very wide row are refused from the header', async () => {
    // libpng itself stops at a million pixels per side, before our check.
    const answer = await convert(await pngOfSize(268_402_690, 1), 'png')
    expect(answer.ok).toBe(false)
    expect(['limit_exceeded', 'input_damaged']).toContain(answer.code)
  })

  it('B02: are counted exactly: one row more than allowed is too much, the limit itself is not', async () => {
    // The data does not have that many rows, so a size within the limit ends as damaged.
    const strictly = { options: { strict: true } }
    expect(await convert(await pngOfSize(16_383, 16_383), 'png', strictly)).toMatchObject({ code: 'input_damaged' })
    expect(await convert(await pngOfSize(16_383, 16_384), 'png')).toMatchObject({ code: 'limit_exceeded' })
  })

  it('B03: of a GIF whose frames claim more than an image may have are refused', async () => {
    expect(await convert(await gifOfSize(40_000), 'gif')).toMatchObject({ ok: false, code: 'limit_exceeded' })
  })

  it('B03: of a GIF canvas around small frames stay as small as the frames', async () => {
    const bytes = await fixture('animated.gif')
    bytes.writeUInt16LE(65_535, 6)
    bytes.writeUInt16LE(65_535, 8)
    expect(await convert(bytes, 'gif')).toMatchObject({ ok: true })
    expect(await sharp(join(folder, 'out-0.png')).metadata()).toMatchObject({ width: 120, height: 90 })
  })

  it('B03: of an animation are counted over all its frames', async () => {
    const answer = await convert(await gifOfSize(16_000), 'gif', { to: 'webp' })
    expect(answer).toMatchObject({ ok: false, code: 'limit_exceeded', text: expect.stringContaining('1000000000') })
  })

  it('B03: of frames are refused past 2,000', async () => {
    const tiny = await frames(2001, 1, 1)
    expect(await convert(tiny, 'gif', { to: 'webp' })).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('2000'),
    })
    expect(await convert(await frames(2000, 1, 1), 'gif', { to: 'gif' })).toMatchObject({ ok: true })
  })

  it('B02: made by enlarging are refused before anything is made', async () => {
    const line = await sharp({ create: { width: 1, height: 10_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    expect(await convert(line, 'png', { options: { width: 16_383 } })).toMatchObject({ code: 'limit_exceeded' })
  })

  it('B02: that fit but not the output format are refused with its limit [L-format-side]', async () => {
    const line = await sharp({ create: { width: 20_000, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const answer = await convert(line, 'png', { to: 'webp' })
    expect(answer).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('16383') })
  })
})

describe('hostile drawings [A08]', () => {
  const svg = (inside: string, attributes = 'width="64" height="64"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`

  it.each([
    ['a file address', (secret: string) => `<image href="file://${secret}" width="64" height="64"/>`],
    ['a plain path', (secret: string) => `<image xlink:href="${secret}" width="64" height="64"/>`],
    ['a neighbour', () => '<image href="canary.png" width="64" height="64"/>'],
    ['a sly neighbour', () => '<image href=".?../canary.png" width="64" height="64"/>'],
    [
      'a style sheet',
      (secret: string) => `<style>@import url("file://${secret}"); rect{fill:url(file://${secret}#a)}</style>`,
    ],
  ])('A08: do not show %s', async (_, inside) => {
    const secret = join(folder, 'canary.png')
    await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toFile(secret)
    const answer = await convert(svg(inside(secret)), 'svg')
    if (!answer.ok) return
    const { channels } = await sharp(join(folder, 'out-0.png')).ensureAlpha().stats()
    expect(channels.map(({ max }) => max)).toEqual([0, 0, 0, 0])
  })

  it('A08: do not show text included from a file', async () => {
    const canary = join(folder, 'canary.txt')
    await writeFile(canary, 'SECRET')
    const include = `<text y="32"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="${canary}"/></text>`
    await convert(svg(include), 'svg')
    const { channels } = await sharp(join(folder, 'out-0.png')).ensureAlpha().stats()
    expect(channels[3]?.max).toBe(0)
  })

  it('A08: reach no host', async () => {
    const { port } = tripwire.address() as { port: number }
    const url = `http://127.0.0.1:${port}/x`
    await convert(
      svg(`<image href="${url}.png" width="9" height="9"/><use href="${url}.svg#a"/><style>@import "${url}";</style>`),
      'svg',
    )
    await stillWorks()
    expect(hits).toBe(0)
  })

  it('A08: with an entity that reads a file show nothing of it', async () => {
    const canary = join(folder, 'canary.txt')
    await writeFile(canary, 'MMMMMMMM')
    const type = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${canary}"><!ENTITY % y SYSTEM "file://${canary}"> %y;]>`
    expect(await convert(type + svg('<text y="32">&x;&y;</text>'), 'svg')).toMatchObject({ ok: true })
    const { channels } = await sharp(join(folder, 'out-0.png')).ensureAlpha().stats()
    expect(channels[3]?.max).toBe(0)
  })

  it('B05: with a billion laughs are refused at once', async () => {
    const names = [...'bcdefghij']
    const previous = (name: string) => String.fromCharCode(name.charCodeAt(0) - 1)
    for (const first of ['ha', '']) {
      const entities = names.map((name) => `<!ENTITY ${name} "${`&${previous(name)};`.repeat(10)}">`).join('')
      const started = performance.now()
      const content = `<!DOCTYPE svg [<!ENTITY a "${first}">${entities}]>${svg('<text>&j;</text>')}`
      expect((await convert(content, 'svg')).ok).toBe(false)
      expect(performance.now() - started).toBeLessThan(5000)
    }
  })

  it('with entities as drawing programs write them are drawn', async () => {
    const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" ['
    const entities = '<!-- > ] --><!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY style "fill:#00ff00">]>'
    const drawing = '<svg xmlns="&ns;" width="9" height="9"><rect width="9" height="9" style="&style;"/></svg>'
    expect(await convert(type + entities + drawing, 'svg')).toMatchObject({ ok: true })
    const { channels } = await sharp(join(folder, 'out-0.png')).stats()
    expect(channels.slice(0, 3).map(({ mean }) => mean)).toEqual([0, 255, 0])
  })

  it('A08: in an encoding that hides words are refused', async () => {
    const content = `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`
    expect(await convert(content, 'svg')).toMatchObject({ ok: false, code: 'unsupported' })
  })

  it('A08: that come in UTF-16 are read, and what they declare is taken out as ever', async () => {
    const canary = join(folder, 'canary.txt')
    await writeFile(canary, 'MMMMMMMM')
    const type = `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${canary}">]>`
    const plain = type + svg('<text y="32">&x;</text><rect width="3" height="3"/>')
    const content = Buffer.from(`\ufeff${plain}`, 'utf16le')
    expect(await convert(content, 'svg')).toMatchObject({ ok: true })
    const { data, info } = await sharp(join(folder, 'out-0.png')).raw().toBuffer({ resolveWithObject: true })
    const drawn = data.filter((value, n) => n % info.channels === info.channels - 1 && value > 0)
    expect(drawn).toHaveLength(9)
  })

  it('A08: that are still compressed never reach librsvg, which would decompress unchecked content', async () => {
    const packed = gzipSync(svg('<rect width="3" height="3"/>'))
    expect(await convert(packed, 'svg')).toMatchObject({ ok: false, code: 'input_damaged' })
  })

  it('with a prefix that is declared nowhere are drawn without those parts', async () => {
    const content = svg('<metadata><c2pa:manifest c2pa:of="x"/></metadata><rect width="3" height="3"/>')
    expect(await convert(content, 'svg')).toMatchObject({ ok: true })
  })

  it.each(['width="1e9" height="1e9"', 'width="100000" height="100000"', 'width="1000001" height="1"'])(
    'B05: of size %s are refused',
    async (attributes) => {
      expect(await convert(svg('<rect width="9" height="9"/>', attributes), 'svg')).toMatchObject({
        code: 'limit_exceeded',
      })
    },
  )

  it('B05: beyond 32 MiB are refused unread', async () => {
    const answer = await convert(svg(`<desc>${' '.repeat(33_554_432)}</desc>`), 'svg')
    expect(answer).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('33554432') })
  })
})

describe('a request that no plan makes', () => {
  it.each(['../in-0.jpg', '/etc/passwd', 'in-0.jpg[0]', 'in.jpg', ''])(
    'for the file %j opens nothing',
    async (file) => {
      const request = {
        op: 'convert',
        inputs: [{ file, format: 'jpg' }],
        outputs: [{ file: 'out-0.png', format: 'png' }],
      }
      expect(await runner.call(folder, request)).toMatchObject({ ok: false, code: 'engine_crashed' })
    },
  )
})

/** A PNG whose header claims a size its data does not have. */
async function pngOfSize(width: number, height: number): Promise<Buffer> {
  const bytes = await fixture('alpha.png')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

/** An animation whose canvas and frames claim a size their data does not have. */
async function gifOfSize(side: number): Promise<Buffer> {
  const bytes = await fixture('animated.gif')
  // The descriptor of a frame at 0, 0 of 120 x 90 pixels.
  const descriptor = Buffer.from([0x2c, 0, 0, 0, 0, 120, 0, 90, 0])
  for (let at = 1; at > 0; at = bytes.indexOf(descriptor, at + 1)) {
    const sizeAt = at === 1 ? 6 : at + 5
    bytes.writeUInt16LE(side, sizeAt)
    bytes.writeUInt16LE(side, sizeAt + 2)
  }
  return bytes
}

/** A GIF of many small frames, of which no two neighbors are equal. */
async function frames(count: number, width: number, height: number): Promise<Buffer> {
  const data = Buffer.from(Array.from({ length: count * width * height * 3 }, (_, n) => (Math.floor(n / 3) % 2) * 255))
  const raw = { width, height: height * count, channels: 3, pageHeight: height } as const
  return sharp(data, { raw })
    .gif({ delay: Array(count).fill(20), keepDuplicateFrames: true })
    .toBuffer()
}
