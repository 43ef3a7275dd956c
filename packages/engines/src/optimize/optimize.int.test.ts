import { readFileSync } from 'node:fs'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { photo } from '../../../../fixtures/photo.ts'

sharp.cache(false)

const bench = usePlanBench()

const run = (format: string, content: Buffer, options: Record<string, unknown> = {}) =>
  bench.run({ operation: 'optimize', sources: [{ format, content }], to: format, options })

/** Optimizes an image and opens the result, to check that it has the reported format. */
async function optimize(format: string, content: Buffer, options: Record<string, unknown> = {}) {
  const end = await run(format, content, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  const [file] = end.files
  if (!file) throw new Error('no file')
  const meta = await sharp(file.bytes).metadata()
  expect(meta.format).toBe({ jpg: 'jpeg', avif: 'heif' }[file.format] ?? file.format)
  return { format: file.format, bytes: file.bytes, size: file.bytes.length, meta, warnings: end.warnings }
}

/**
 * How alike two images are by an independent measure: FFmpeg's structural similarity on a background, the mean of the
 * full size, half and a quarter of it.
 */
async function ssim(one: Buffer, other: Buffer, background = '#ffffff'): Promise<number> {
  const { autoOrient } = await sharp(one).metadata()
  const scaled = (image: Buffer, part: number) =>
    sharp(image, { autoOrient: true })
      .flatten({ background })
      .toColourspace('srgb')
      .resize({ width: Math.ceil(autoOrient.width / part), kernel: 'linear' })
      .png()
      .toBuffer()
  const scores = [1, 2, 4].map(async (part) => {
    const files = { 'a.png': await scaled(one, part), 'b.png': await scaled(other, part) }
    const args = ['-v', 'error', '-i', 'a.png', '-i', 'b.png', '-lavfi', 'ssim=stats_file=ssim.txt', '-f', 'null', '-']
    const { outputs } = await bench.tool('ffmpeg', args, { files, outputs: ['ssim.txt'] })
    return Number(/All:([\d.]+)/.exec(outputs['ssim.txt']?.toString() ?? '')?.[1])
  })
  return (await Promise.all(scores)).reduce((sum, score) => sum + score, 0) / scores.length
}

const pixelsOf = (bytes: Buffer) =>
  sharp(bytes, { autoOrient: true }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
const fixture = (name: FixtureName) => readFileSync(fixturePath(name))
const drawn = (svg: string) => sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer()

const text = Array.from(
  { length: 20 },
  (_, n) => `<text x="20" y="${30 + n * 22}" font-size="15">Line ${n}: the quick brown fox jumps over it</text>`,
)
const screenshot = () =>
  drawn(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#fff"/>
    <rect x="480" width="160" height="480" fill="#dde6f4"/>${text.join('')}</svg>`)
const logo = () =>
  drawn(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><circle cx="150" cy="150" r="120" fill="#c02020"/>
    <rect x="120" y="60" width="60" height="180" fill="#ffffff" fill-opacity="0.5"/></svg>`)

describe('a photo', () => {
  it('becomes as small as the similarity allows, of every level', async () => {
    const content = await photo(400, 300, { grain: 6 }).png().toBuffer()
    const levels = ['high', 'good', 'small'] as const
    const [high, good, small] = await Promise.all(levels.map((similarity) => optimize('png', content, { similarity })))
    if (!high || !good || !small) throw new Error('missing')
    expect([high.size > good.size, good.size > small.size, good.size < content.length / 4]).toEqual([true, true, true])
    const alike = await Promise.all([high, good, small].map(({ bytes }) => ssim(content, bytes)))
    expect(alike).toEqual(alike.toSorted((one, other) => other - one))
    expect(alike[0]).toBeGreaterThan(0.98)
    expect(alike[1]).toBeGreaterThan(0.95)
    expect(alike[2]).toBeGreaterThan(0.92)
  })

  it('comes in each of the formats allowed, and looks the same in all', async () => {
    const content = await photo(240, 180, { grain: 4 }).png().toBuffer()
    for (const formats of ['avif', 'webp', 'jpg']) {
      const { format, size, bytes } = await optimize('png', content, { formats })
      expect(format).toBe(formats)
      expect(size).toBeLessThan(content.length / 2)
      expect(await ssim(content, bytes)).toBeGreaterThan(0.95)
    }
  })

  it('is rotated by its EXIF orientation, and loses its metadata', async () => {
    const content = fixture('rotated-exif.jpg')
    const { meta, bytes } = await optimize('jpg', content)
    const { autoOrient } = await sharp(content).metadata()
    expect([meta.width, meta.height]).toEqual([autoOrient.width, autoOrient.height])
    expect([meta.exif, meta.icc, meta.xmp, meta.orientation ?? 1]).toEqual([undefined, undefined, undefined, 1])
    expect(await ssim(content, bytes)).toBeGreaterThan(0.95)
  })

  it('fits into the width and height asked for, and is never enlarged', async () => {
    const content = fixture('photo-40k.jpg')
    const { width = 0, height = 0 } = await sharp(content).metadata()
    const { meta } = await optimize('jpg', content, { width: 100, height: 1000 })
    expect([meta.width, meta.height]).toEqual([100, Math.round((height * 100) / width)])
    const same = await optimize('jpg', content, { width: 10_000 })
    expect([same.meta.width, same.meta.height]).toEqual([width, height])
  })

  it('keeps its pixels where it must be identical: without its metadata, or as it is', async () => {
    const jpeg = await photo(120, 90)
      .jpeg({ quality: 60 })
      .withExif({ IFD0: { Copyright: 'x'.repeat(500) } })
      .toBuffer()
    const stripped = await optimize('jpg', jpeg, { similarity: 'identical' })
    expect([stripped.format, stripped.meta.exif, stripped.warnings]).toEqual(['jpg', undefined, []])
    expect(stripped.size).toBeLessThan(jpeg.length - 500)
    expect((await pixelsOf(stripped.bytes)).equals(await pixelsOf(jpeg))).toBe(true)
    const again = await optimize('jpg', stripped.bytes, { similarity: 'identical' })
    expect(again.warnings).toEqual(['original'])
    expect(again.bytes.equals(stripped.bytes)).toBe(true)
  })

  it.each([
    ['CMYK', 'jpg', () => photo(160, 120).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()],
    ['Display P3', 'png', () => photo(160, 120).withIccProfile('p3').png().toBuffer()],
    ['16 bits', 'png', () => photo(160, 120).toColourspace('rgb16').png().toBuffer()],
    ['shades of grey', 'png', () => photo(160, 120).greyscale().png().toBuffer()],
  ] as const)('of %s comes in sRGB with 8 bits', async (_, format, make) => {
    const content = await make()
    const { meta, bytes } = await optimize(format, content, { formats: 'webp,avif' })
    expect([meta.depth, meta.icc]).toEqual(['uchar', undefined])
    expect(await ssim(content, bytes)).toBeGreaterThan(0.95)
  })
})

describe('a drawing', () => {
  it('with text stays readable and becomes much smaller', async () => {
    const content = await screenshot()
    const { bytes, size } = await optimize('png', content)
    expect(size).toBeLessThan(content.length / 3)
    expect(await ssim(content, bytes)).toBeGreaterThan(0.97)
  })

  it('that must be identical becomes a lossless WebP or PNG', async () => {
    const content = await screenshot()
    for (const formats of ['avif,webp,jpg,png', 'jpg,png']) {
      const { format, bytes, size } = await optimize('png', content, { formats, similarity: 'identical' })
      expect(format).toBe(formats.startsWith('jpg') ? 'png' : 'webp')
      expect(size).toBeLessThan(content.length)
      expect((await pixelsOf(bytes)).equals(await pixelsOf(content))).toBe(true)
    }
  })

  it('of few colours is smaller as a PNG than as a JPEG', async () => {
    const content = await screenshot()
    const { format, bytes } = await optimize('png', content, { formats: 'jpg,png' })
    expect(format).toBe('png')
    expect(await ssim(content, bytes)).toBeGreaterThan(0.97)
  })

  it('that is transparent stays so, and is never a JPEG unless nothing else is allowed', async () => {
    const content = await logo()
    for (const formats of ['avif,jpg', 'png,jpg']) {
      const { format, meta, bytes, size } = await optimize('png', content, { formats })
      expect([format, meta.hasAlpha]).toEqual([formats.split(',')[0], true])
      expect(size).toBeLessThan(content.length)
      for (const background of ['#ffffff', '#000000']) {
        expect(await ssim(content, bytes, background)).toBeGreaterThan(0.97)
      }
    }
    const filled = await optimize('png', content, { formats: 'jpg', background: '#336699' })
    expect(filled.warnings).toEqual([expect.stringMatching(/^The transparent parts were filled/)])
    expect(await ssim(content, filled.bytes, '#336699')).toBeGreaterThan(0.95)
  })

  it('of one pixel is an image still', async () => {
    const content = await drawn(
      '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="red"/></svg>',
    )
    const { meta, bytes } = await optimize('png', content)
    expect([meta.width, meta.height]).toEqual([1, 1])
    const [red = 0, green = 0] = await pixelsOf(bytes)
    expect([red > 245, green < 10]).toEqual([true, true])
  })
})

describe('an animation', () => {
  it.each(['animated.gif', 'animated.webp', 'halves.apng'] as const)('%s keeps its frames as WebP', async (name) => {
    const content = fixture(name)
    const before = await sharp(content, { pages: name.endsWith('apng') ? 1 : -1 }).metadata()
    const { format, meta, size, bytes } = await optimize(name.split('.')[1] ?? '', content)
    expect(format).toBe('webp')
    expect(size).toBeLessThanOrEqual(content.length)
    expect(meta.pages).toBe(before.pages ?? 2)
    if (!before.pages) return
    expect(meta.delay).toEqual(before.delay)
    for (const page of [0, before.pages - 1]) {
      const [one, other] = await Promise.all([content, bytes].map((file) => sharp(file, { page }).png().toBuffer()))
      expect(await ssim(one ?? content, other ?? bytes)).toBeGreaterThan(0.95)
    }
  })

  it('is refused where no allowed format keeps it', async () => {
    expect(await run('gif', fixture('animated.gif'), { formats: 'avif,png' })).toMatchObject({
      code: 'unsupported',
      text: 'The image is animated, which only webp keeps. Allow webp in the option formats.',
    })
  })
})

describe('what cannot be optimized', () => {
  it('is reported: a similarity that no allowed format reaches', async () => {
    const content = await photo(64, 64).png().toBuffer()
    expect(await run('png', content, { formats: 'jpg', similarity: 'identical' })).toMatchObject({
      code: 'unsupported',
      text: expect.stringMatching(/^No allowed format \(jpg\) reaches this similarity\./),
    })
  })

  it('is damaged, or read as far as it goes', async () => {
    const content = fixture('photo-40k.jpg')
    const cut = content.subarray(0, content.length / 2)
    const { warnings } = await optimize('jpg', cut)
    expect(warnings).toEqual([expect.stringMatching(/^The image is damaged or incomplete/)])
    expect(await run('jpg', cut, { strict: true })).toMatchObject({ code: 'input_damaged' })
    expect(await run('png', Buffer.from('no image at all'))).toMatchObject({ code: 'input_damaged' })
  })

  it('has too many pixels, unless it is made smaller [L-optimize-pixels]', async () => {
    const content = await plain(8001, 4000)
    expect(await run('png', content)).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('pixels of the result 32004000, at most 32000000'),
    })
    const { meta } = await optimize('png', content, { width: 200 })
    expect(meta.width).toBe(200)
  })

  it('has too many pixels for AVIF, if nothing else is allowed [L-optimize-avif]', async () => {
    const content = await plain(4001, 4000)
    expect(await run('png', content, { formats: 'avif' })).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('pixels of an avif result 16004000, at most 16000000'),
    })
    expect((await optimize('png', content, { formats: 'avif,png' })).format).toBe('png')
  })

  it('has too many pixels in all its frames [L-optimize-frames]', async () => {
    expect(await run('gif', blankGif(5000, 2))).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('pixels of all frames 50000000, at most 40000000'),
    })
  })
})

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8899aa' } })
    .png()
    .toBuffer()

/** A square GIF in which each frame sets only its last pixel. */
function blankGif(side: number, frames: number): Buffer {
  const [low, high] = [side & 255, side >> 8]
  const screen = [low, high, low, high, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  const [x, y] = [(side - 1) & 255, (side - 1) >> 8]
  const frame = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, x, y, x, y, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...screen, ...Array.from({ length: frames }, () => frame).flat(), 0x3b]),
  ])
}
