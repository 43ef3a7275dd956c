import { detectFormat } from '@lathe/formats'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { halvesOf, openPictureBench, type PictureBench } from '../testing/picture-bench.ts'
import { samplePng } from '../testing/sample-pictures.ts'

let pictures: PictureBench
beforeAll(async () => {
  pictures = await openPictureBench()
})
afterAll(() => pictures[Symbol.asyncDispose]())

describe('options', () => {
  it.each([
    ['heic', 'webp'],
    ['raw', 'jpg'],
    ['psd', 'heic'],
    ['svg', 'bmp'],
  ])('of size and turn work from %s to %s', async (from, to) => {
    const options = { width: 60, rotate: '90' }
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"/>')
    const content = from === 'svg' ? drawing : (pictures.samples[from] ?? Buffer.alloc(0))
    const { bytes } = await pictures.convertBytes(content, { from, to, options })
    const shown = ['heic', 'bmp'].includes(to)
      ? (await pictures.convertBytes(bytes, { from: to, to: 'png' })).bytes
      : bytes
    expect(await sharp(shown).metadata()).toMatchObject({ width: 60, height: 80 })
  })

  it.each(['exr', 'psd', 'raw', 'jxl'])('of depth keep 16 bits from %s', async (from) => {
    const { bytes } = await pictures.convert(from, 'png', { depth: '16' })
    expect((await sharp(bytes).metadata()).depth).toBe('ushort')
  })

  it.each([
    ['heic', { quality: 20 }, { quality: 90 }],
    ['jxl', { quality: 20 }, { quality: 95 }],
    ['jp2', { quality: 20 }, { quality: 90 }],
    ['dds', { compression: 'dxt1' }, { compression: 'none' }],
    ['tga', { compression: 'rle' }, { compression: 'none' }],
    ['ico', { sizes: 'one' }, { sizes: 'all' }],
  ])('of %s make it smaller with %j than with %j', async (to, small, large) => {
    const photo = await sharp({
      create: {
        width: 160,
        height: 120,
        channels: 3,
        background: '#884422',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .png()
      .toBuffer()
    const plain = await samplePng()
    const content = to === 'tga' ? plain : photo
    const [less, more] = [
      await pictures.convertBytes(content, { from: 'png', to, options: small }),
      await pictures.convertBytes(content, { from: 'png', to, options: large }),
    ]
    expect(less.bytes.length).toBeLessThan(more.bytes.length)
  })

  it.each(['jxl', 'jp2'])('of %s lose nothing when lossless', async (to) => {
    const noise = await sharp({
      create: {
        width: 64,
        height: 48,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    const { bytes } = await pictures.convertBytes(noise, { from: 'png', to, options: { lossless: true } })
    const back = await pictures.convertBytes(bytes, { from: to, to: 'png' })
    expect((await sharp(back.bytes).raw().toBuffer()).equals(await sharp(noise).raw().toBuffer())).toBe(true)
  })

  it('fill transparency where a format has none', async () => {
    const clear = await sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const { bytes } = await pictures.convertBytes(clear, { from: 'png', to: 'bmp', options: { background: '#00ff00' } })
    const [left] = await halvesOf((await pictures.convertBytes(bytes, { from: 'bmp', to: 'png' })).bytes)
    expect(left).toEqual([0, 255, 0])
  })
})

describe('icons', () => {
  it('hold at most 256 pixels a side, and say so', async () => {
    const large = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { bytes, warnings } = await pictures.convertBytes(large, { from: 'png', to: 'ico' })
    expect(warnings).toHaveLength(1)
    const back = await pictures.convertBytes(bytes, { from: 'ico', to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 256, height: 128 })
  })

  it('of several sizes are read as their largest, or as the one asked for', async () => {
    const square = await sharp({ create: { width: 256, height: 256, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { bytes } = await pictures.convertBytes(square, { from: 'png', to: 'ico', options: { sizes: 'all' } })
    const largest = await pictures.convertBytes(bytes, { from: 'ico', to: 'png' })
    expect((await sharp(largest.bytes).metadata()).width).toBe(256)
    const last = await pictures.convertBytes(bytes, { from: 'ico', to: 'png', options: { page: 6 } })
    expect((await sharp(last.bytes).metadata()).width).toBe(16)
    await expect(pictures.convertBytes(bytes, { from: 'ico', to: 'png', options: { page: 7 } })).rejects.toThrow(
      'it holds 6',
    )
  })
})

describe('cropping', () => {
  it.each(['heic', 'jxl', 'bmp', 'psd', 'exr'])('%s keeps the area asked for', async (format) => {
    const options = { x: 100, y: 10, width: 40, height: 30 }
    const content = pictures.samples[format] ?? Buffer.alloc(0)
    const { bytes } = await pictures.convertBytes(content, { from: format, to: format, options, operation: 'crop' })
    const back = await pictures.convertBytes(bytes, { from: format, to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 40, height: 30 })
    const [left = []] = await halvesOf(back.bytes)
    expect(left[2]).toBeGreaterThan(200)
  })
})

describe('compressing', () => {
  it.each(['heic', 'jxl', 'jp2'])('%s keeps a target size, and comes close to it', async (format) => {
    const photo = await sharp(fixturePath('photo-40k.jpg')).resize(200).png().toBuffer()
    const best = await pictures.convertBytes(photo, { from: 'png', to: format, options: { quality: 95 } })
    const target = Math.round(best.bytes.length / 3)
    const { bytes } = await pictures.convertBytes(best.bytes, {
      from: format,
      to: format,
      options: { target_size: target },
      operation: 'compress',
    })
    expect(bytes.length).toBeLessThanOrEqual(target)
    expect(bytes.length).toBeGreaterThan(target * 0.75)
    expect(detectFormat(bytes)?.ext).toBe(format)
  })

  it('says so where a target cannot be reached', async () => {
    const asked = { from: 'heic', to: 'heic', options: { target_size: 256 }, operation: 'compress' } as const
    await expect(pictures.convertBytes(pictures.samples.heic ?? Buffer.alloc(0), asked)).rejects.toThrow('256 bytes')
  })
})
