import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import type { ProcessingOperation } from '@lathe/operations'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'

const bench = usePlanBench()

interface Work {
  readonly operation?: ProcessingOperation
  readonly to?: string
  readonly options?: Record<string, unknown>
}

async function work(name: FixtureName | Buffer, { operation = 'convert', to, options = {} }: Work) {
  const content = typeof name === 'string' ? await readFile(fixturePath(name)) : name
  const from = typeof name === 'string' ? name.slice(name.lastIndexOf('.') + 1) : 'png'
  return bench.run({ operation, sources: [{ format: from, content }], to: to ?? from, options })
}

async function done(name: FixtureName | Buffer, asked: Work) {
  const end = await work(name, asked)
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
  return { bytes, warnings: end.warnings, meta: await sharp(bytes).metadata() }
}

/** The color of one pixel as sRGB. */
async function pixel(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const area = { left: x, top: y, width: 1, height: 1 }
  return [...(await sharp(bytes).toColourspace('srgb').extract(area).removeAlpha().raw().toBuffer())]
}

const photoPixel = async () => pixel(await readFile(fixturePath('photo-40k.jpg')), 320, 240)

describe('colours', () => {
  it.each(['jpg', 'png', 'webp', 'avif', 'gif', 'tiff'])('%s in gray has no colour left', async (to) => {
    const { bytes } = await done('photo-40k.jpg', { to, options: { colour_space: 'gray' } })
    const { channels } = await sharp(bytes).toColourspace('srgb').stats()
    const means = channels.slice(0, 3).map(({ mean }) => mean)
    expect(Math.max(...means) - Math.min(...means)).toBeLessThan(1)
  })

  it.each(['jpg', 'tiff'])('%s in CMYK has four inks, a profile, and looks the same', async (to) => {
    const { bytes, meta } = await done('photo-40k.jpg', { to, options: { colour_space: 'cmyk' } })
    expect(meta).toMatchObject({ space: 'cmyk', channels: 4 })
    expect(meta.icc?.length).toBeGreaterThan(1000)
    const [before, after] = [await photoPixel(), await pixel(bytes, 320, 240)]
    for (const [n, value] of before.entries()) expect(Math.abs(value - (after[n] ?? 0))).toBeLessThan(30)
  })

  it('goes to Display P3 with its profile, and still looks the same', async () => {
    const { bytes, meta } = await done('photo-40k.jpg', { to: 'png', options: { colour_space: 'p3' } })
    expect(meta.icc?.length).toBeGreaterThan(400)
    const before = await photoPixel()
    const after = await pixel(bytes, 320, 240)
    for (const [n, value] of before.entries()) expect(Math.abs(value - (after[n] ?? 0))).toBeLessThan(6)
  })

  it('takes P3 to sRGB without a profile', async () => {
    const p3 = await sharp(fixturePath('photo-40k.jpg')).withIccProfile('p3').png().toBuffer()
    const { bytes, meta } = await done(p3, { to: 'png', options: { colour_space: 'srgb' } })
    expect(meta.icc).toBeUndefined()
    const [before, after] = [await photoPixel(), await pixel(bytes, 320, 240)]
    for (const [n, value] of before.entries()) expect(Math.abs(value - (after[n] ?? 0))).toBeLessThan(6)
  })

  it.each(['png', 'tiff'])('%s keeps 16 bits a channel if asked to', async (to) => {
    const deep = await sharp(fixturePath('photo-40k.jpg')).toColourspace('rgb16').png().toBuffer()
    expect((await done(deep, { to, options: { depth: '16' } })).meta.depth).toBe('ushort')
    expect((await done(deep, { to })).meta.depth).toBe('uchar')
  })

  it('fills transparency with a colour given in numbers', async () => {
    const { bytes } = await done('alpha.png', { to: 'jpg', options: { background: '#336699' } })
    const [red = 0, green = 0, blue = 0] = await pixel(bytes, 0, 0)
    expect([Math.abs(red - 0x33), Math.abs(green - 0x66), Math.abs(blue - 0x99)].every((off) => off < 6)).toBe(true)
  })

  it.each(['white', '#12345', 'url(x)', '#1234567', 'redx'])(
    'accepts %j as a colour only if it is one',
    async (background) => {
      expect(isFailure(await work('alpha.png', { to: 'jpg', options: { background } }))).toBe(background !== 'white')
    },
  )
})

describe('a resolution', () => {
  it.each(['jpg', 'png', 'tiff'])('is stored in %s, without other metadata', async (to) => {
    const { meta } = await done('photo-40k.jpg', { to, options: { dpi: 300 } })
    expect(meta.density).toBe(300)
    expect(meta.exif?.toString('latin1') ?? '').not.toContain('Lathe fixtures')
  })

  it('leaves EXIF where that is kept', async () => {
    const { meta } = await done('photo-40k.jpg', { to: 'jpg', options: { dpi: 96, strip: false } })
    expect(meta.density).toBe(96)
    expect(meta.exif?.toString('latin1')).toContain('Lathe fixtures')
  })
})

describe('a page', () => {
  it.each(['animated.gif', 'animated.webp', 'pages.tiff'] as const)('of %s is the one asked for', async (name) => {
    const taken = await done(name, { to: 'png', options: { page: 3 } })
    expect(taken.warnings).toEqual([])
    const expected = await sharp(fixturePath(name), { page: 2 }).png().toBuffer()
    expect((await sharp(taken.bytes).raw().toBuffer()).equals(await sharp(expected).raw().toBuffer())).toBe(true)
  })

  it('alone is left where the result could hold more', async () => {
    expect((await done('animated.gif', { to: 'gif', options: { page: 2 } })).meta.pages ?? 1).toBe(1)
  })

  it('that is not there is refused', async () => {
    const end = await work('animated.gif', { to: 'png', options: { page: 5 } })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('has 4') })
  })
})

describe('a trim', () => {
  it.each(['animated.gif', 'animated.webp'] as const)('of %s keeps what is shown between two moments', async (name) => {
    // Four frames of 80 ms: from the middle of the second to the middle of the fourth.
    const { meta, bytes } = await done(name, { operation: 'trim', options: { start: 0.12, end: 0.28 } })
    expect(meta).toMatchObject({ pages: 3, delay: [40, 80, 40] })
    const second = await sharp(fixturePath(name), { page: 1 }).raw().toBuffer()
    const first = await sharp(bytes, { page: 0 }).raw().toBuffer()
    const off = second.reduce((sum, value, n) => sum + Math.abs(value - (first[n] ?? 0)), 0) / second.length
    expect(off).toBeLessThan(12)
  })

  it('to the end needs no end', async () => {
    expect((await done('animated.gif', { operation: 'trim', options: { start: 0.2 } })).meta.pages).toBe(2)
  })

  it.each([
    [{ start: 5 }, 'ends after 0.32 seconds'],
    [{ start: 0.2, end: 0.1 }, 'after the start'],
  ])('of %j is refused', async (options, text) => {
    const end = await work('animated.gif', { operation: 'trim', options })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining(text) })
  })
})

describe('a target size', () => {
  const targets = [
    ['photo-100k.jpg', 0.6],
    ['photo-100k.jpg', 0.2],
    ['photo-100k.jpg', 0.02],
    ['photo.webp', 0.5],
    ['photo.webp', 0.1],
    ['photo.avif', 0.5],
    ['alpha.png', 0.4],
    ['alpha.png', 0.1],
    ['animated.gif', 0.6],
  ] as const

  it.each(targets)('of %s to %d of its size is never exceeded', async (name, share) => {
    const size = (await readFile(fixturePath(name))).length
    const target = Math.max(256, Math.round(size * share))
    const { bytes, meta } = await done(name, { operation: 'compress', options: { target_size: target } })
    expect(bytes.length).toBeLessThanOrEqual(target)
    expect(meta.width).toBeGreaterThan(0)
    // Nothing is dropped that would have fitted.
    if (name.endsWith('jpg')) expect(bytes.length).toBeGreaterThan(target * 0.7)
  })

  it('that the file already has leaves it unchanged', async () => {
    const { bytes, warnings } = await done('photo-40k.jpg', {
      operation: 'compress',
      options: { target_size: 1_000_000 },
    })
    expect(bytes.equals(await readFile(fixturePath('photo-40k.jpg')))).toBe(true)
    expect(warnings).toHaveLength(1)
  })

  it('that cannot be reached is refused', async () => {
    const end = await work('animated.gif', { operation: 'compress', options: { target_size: 256 } })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('256 bytes') })
  })
})
