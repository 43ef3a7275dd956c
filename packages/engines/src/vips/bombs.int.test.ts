import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import { detectFormat } from '@lathe/formats'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'

const bench = usePlanBench()

/** Converts in the sandbox, with its memory and time limits. */
async function convert(content: string | Uint8Array, from: string, { to = 'png', options = {} } = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })
  return isFailure(end) ? { code: end.code } : { code: 'done', bytes: end.files[0]?.bytes ?? Buffer.alloc(0) }
}

const svg = (inside: string, size = 'width="64" height="64"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}</svg>`

describe('B02 large images within the limit', () => {
  it("B02: 14,000 squared of one colour becomes a thumbnail within a job's memory", async () => {
    const square = await sharp({ create: { width: 14_000, height: 14_000, channels: 3, background: 'red' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(square.length).toBeLessThan(1_000_000)
    const end = await convert(square, 'png', { to: 'jpg', options: { width: 140 } })
    expect(end.code).toBe('done')
    expect(await sharp(end.bytes).metadata()).toMatchObject({ width: 140, height: 140 })
  })

  it('B02: a TIFF that claims more tiles than it has is refused, or no larger than it claims', async () => {
    const tiff = await sharp({ create: { width: 256, height: 256, channels: 3, background: 'red' } })
      .tiff({ tile: true, tileWidth: 64, tileHeight: 64, compression: 'none' })
      .toBuffer()
    expect((await convert(withSides(tiff, 65_535), 'tiff')).code).not.toBe('done')
    // Within the limit libvips leaves missing tiles empty: the image has that size and no more.
    const end = await convert(withSides(tiff, 6000), 'tiff')
    if (end.code !== 'done') return expect(end.code).toBe('input_damaged')
    expect(await sharp(end.bytes).metadata()).toMatchObject({ width: 6000, height: 6000 })
  })

  it('B02: 16 bits of four channels do not slip past the limit', async () => {
    const deep = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#ff000080' } })
      .toColourspace('rgb16')
      .png()
      .toBuffer()
    deep.writeUInt32BE(60_000, 16)
    expect((await convert(deep, 'png')).code).not.toBe('done')
  })
})

describe('B03 frames', () => {
  it('B03: an animated WebP of more than 2,000 frames is refused', async () => {
    const count = 2001
    const data = Buffer.from(Array.from({ length: count * 3 }, (_, n) => (Math.floor(n / 3) % 2) * 255))
    const raw = { width: 1, height: count, channels: 3, pageHeight: 1 } as const
    const webp = await sharp(data, { raw })
      .webp({ delay: Array(count).fill(20), lossless: true, effort: 0 })
      .toBuffer()
    expect((await convert(webp, 'webp', { to: 'gif' })).code).toBe('limit_exceeded')
  })

  it('B03: a TIFF whose directories lead back to each other ends', async () => {
    const tiff = await readFile(fixturePath('pages.tiff'))
    const first = tiff.readUInt32LE(4)
    const entries = tiff.readUInt16LE(first)
    tiff.writeUInt32LE(first, first + 2 + entries * 12)
    expect(['done', 'input_damaged', 'unsupported', 'limit_exceeded']).toContain(
      (await convert(tiff, 'tiff', { to: 'tiff' })).code,
    )
  })
})

describe('B05 drawings that never end', () => {
  const laughs = (depth: number) => {
    const levels = Array.from({ length: depth }, (_, n) => {
      return `<g id="l${n + 1}">${`<use xlink:href="#l${n}"/>`.repeat(10)}</g>`
    })
    return svg(`<defs><rect id="l0" width="1" height="1"/>${levels.join('')}</defs><use xlink:href="#l${depth}"/>`)
  }
  const turbulence = '<filter id="f"><feTurbulence baseFrequency="0.01" numOctaves="8"/></filter>'

  const drawings = [
    ['a thousand million uses', laughs(9)],
    ['a use of itself', svg('<g id="a"><use xlink:href="#a"/></g>')],
    [
      'a million pixels of turbulence',
      svg(`${turbulence}<rect width="1000" height="1000" filter="url(#f)"/>`, 'width="1000" height="1000"'),
    ],
    [
      'a pattern in a pattern',
      svg(
        '<pattern id="p" width="1" height="1"><rect width="1" height="1" fill="url(#p)"/></pattern><rect width="64" height="64" fill="url(#p)"/>',
      ),
    ],
    ['a path of 8 million points', svg(`<path d="M0 0${' L9 9'.repeat(1_600_000)}"/>`)],
  ] as const
  const cases = drawings.flatMap(([what, drawing]) => ['png', 'pdf'].map((to) => [what, to, drawing] as const))

  it.each(cases)('B05: %s end in a %s or a refusal within the time of an image', async (_, to, drawing) => {
    const started = performance.now()
    const { code } = await convert(drawing, 'svg', { to })
    expect(['done', 'input_damaged', 'unsupported', 'limit_exceeded', 'engine_timeout', 'engine_crashed']).toContain(
      code,
    )
    expect(performance.now() - started).toBeLessThan(122_000)
  })
})

describe('A14 polyglots', () => {
  const evil = '<?php system($_GET[0]) ?><html><script>alert(1)</script>'
  const archive = 'PK\x03\x04evil.class'

  it.each([
    ['GIF', 'animated.gif', 'gif', 'webp'],
    ['GIF', 'animated.gif', 'gif', 'gif'],
    ['JPEG', 'photo-40k.jpg', 'jpg', 'jpg'],
    ['JPEG', 'photo-40k.jpg', 'jpg', 'pdf'],
    ['PNG', 'alpha.png', 'png', 'png'],
    ['WebP', 'photo.webp', 'webp', 'webp'],
  ] as const)(
    'A14: a %s with an archive, a program and a page behind it (%s) loses them as %s to %s',
    async (_, name, from, to) => {
      const bytes = Buffer.concat([await readFile(fixturePath(name)), Buffer.from(archive + evil, 'latin1')])
      // Only the type at the beginning of the file counts.
      expect(detectFormat(bytes)).toEqual({ ext: from, conclusive: true })
      const end = await convert(bytes, from, { to })
      if (end.code !== 'done') return expect(end.code).toBe('input_damaged')
      for (const word of ['<?php', '<script', 'PK\x03\x04']) expect(end.bytes?.includes(word), word).toBe(false)
    },
  )

  it('A14: a file with two signatures is read by the first', async () => {
    const [gif, png] = [await readFile(fixturePath('animated.gif')), await readFile(fixturePath('alpha.png'))]
    expect((await convert(Buffer.concat([png, gif]), 'png', { to: 'jpg' })).code).toBe('done')
    expect((await convert(Buffer.concat([png, gif]), 'gif', { to: 'jpg' })).code).toBe('input_damaged')
  })
})

describe('A08 other attacks by a drawing', () => {
  it.each([
    [
      'a foreign frame',
      '<foreignObject width="64" height="64"><iframe xmlns="http://www.w3.org/1999/xhtml" src="file:///etc/passwd"/></foreignObject>',
    ],
    ['an image of text', '<image href="text:/etc/passwd" width="64" height="64"/>'],
    ['a style sheet of its own', '<?xml-stylesheet href="file:///etc/passwd" type="text/css"?>'],
    ['a use of another file', '<use href="file:///etc/passwd#a"/>'],
  ])('A08: %s shows nothing', async (_, inside) => {
    const end = await convert(svg(inside), 'svg')
    if (end.code !== 'done') return expect(end.code).toBe('input_damaged')
    const { channels } = await sharp(end.bytes).ensureAlpha().stats()
    expect(channels.at(-1)?.max).toBe(0)
  })
})

/** A TIFF whose first directory claims another width and height. */
function withSides(tiff: Buffer, side: number): Buffer {
  const bytes = Buffer.from(tiff)
  const at = bytes.readUInt32LE(4)
  for (let n = 0; n < bytes.readUInt16LE(at); n++) {
    const entry = at + 2 + n * 12
    const isShort = bytes.readUInt16LE(entry + 2) === 3
    if (![256, 257].includes(bytes.readUInt16LE(entry))) continue
    if (isShort) bytes.writeUInt16LE(side, entry + 8)
    else bytes.writeUInt32LE(side, entry + 8)
  }
  return bytes
}
