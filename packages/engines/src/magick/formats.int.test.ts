import { detectFormat, resolveFormat } from '@lathe/formats'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readable } from '../pictures/decoders.ts'
import { writable } from '../pictures/encoders.ts'
import { halvesOf, openPictureBench, type PictureBench } from '../testing/picture-bench.ts'
import { samplePng } from '../testing/sample-pictures.ts'

let pictures: PictureBench
beforeAll(async () => {
  pictures = await openPictureBench()
})
afterAll(() => pictures[Symbol.asyncDispose]())

const gray = ['pgm', 'pbm', 'fits', 'pfm', 'pcd', 'jbg', 'pdb', 'pgx', 'vicar', 'wbmp', 'xbm']
/** Formats that do not support the size of the sample. A Photo CD adds a white border. */
const sizes: Readonly<Record<string, object>> = {
  icns: { width: 128, height: 128 },
  pcd: { width: 768, height: 512 },
}
const moving = ['apng', 'fli']

describe('every format read', () => {
  it.each(readable)('%s becomes a PNG of the same size and colours', async (from) => {
    const { bytes, warnings } = await pictures.convert(from, 'png')
    expect(warnings).toHaveLength(moving.includes(from) ? 1 : 0)
    const size = sizes[from] ?? { width: 160, height: 120 }
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', ...size })
    const [left = [], right = []] = await halvesOf(bytes)
    if (gray.includes(from)) return
    // LibRaw brightens the values of the sensor, so only the dominant color is certain.
    expect(left[0]).toBeGreaterThan(200)
    expect(left[2]).toBeLessThan(from === 'raw' ? 120 : 40)
    expect(right[2]).toBeGreaterThan(200)
    expect(right[0]).toBeLessThan(from === 'raw' ? 120 : 40)
  })
})

describe('every format written', () => {
  it.each(writable)('%s is what it says, and shows the image when read again', async (to) => {
    const { bytes } = await pictures.convert('png', to)
    // Targa has no signature, so only the file name reveals the format.
    expect(resolveFormat({ detected: detectFormat(bytes), filename: `a.${to}` }).ext).toBe(to)
    const back = await pictures.convertBytes(bytes, { from: to, to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 160, height: 120 })
    const [left = [], right = []] = await halvesOf(back.bytes)
    if (gray.includes(to)) return
    expect(left[0]).toBeGreaterThan(200)
    expect(left[2]).toBeLessThan(50)
    expect(right[2]).toBeGreaterThan(200)
    expect(right[0]).toBeLessThan(50)
  })
})

describe('animations', () => {
  it.each([
    ['apng', 2, 100],
    ['fli', 3, 70],
  ])('%s keeps its frames and their times as gif and webp', async (from, pages, delay) => {
    for (const to of ['gif', 'webp']) {
      const { bytes, warnings } = await pictures.convert(from, to)
      expect(warnings).toEqual([])
      const meta = await sharp(bytes).metadata()
      expect(meta).toMatchObject({ pages, width: 160, delay: Array.from({ length: pages }, () => delay) })
    }
  })
})

describe('an image that libvips does not read', () => {
  const png = samplePng()
  const make = async (args: readonly string[], out: string) => {
    const { outputs } = await pictures.bench.tool('magick', ['png:a.png', ...args, out], {
      files: { 'a.png': await png },
      outputs: [out.slice(out.indexOf(':') + 1)],
    })
    return Object.values(outputs)[0] ?? Buffer.alloc(0)
  }

  it('such as TIFF in Lab colours is decoded by another program', async () => {
    const lab = await make(['-colorspace', 'Lab'], 'tiff:a.tiff')
    for (const to of ['png', 'jpg', 'pdf', 'bmp']) {
      const { bytes, warnings } = await pictures.convertBytes(lab, { from: 'tiff', to })
      expect(warnings).toEqual([])
      if (to !== 'png') continue
      const [left = [], right = []] = await halvesOf(bytes)
      expect(left[0]).toBeGreaterThan(200)
      expect(right[2]).toBeGreaterThan(200)
    }
  })

  it.each([
    ['bmp', 0.6],
    ['tga', 0.6],
    ['ppm', 0.6],
    ['sgi', 0.9],
  ])('such as %s without its end is read as far as it goes, or refused if asked to be strict', async (from, share) => {
    const whole = await make(from === 'sgi' ? ['-compress', 'none'] : [], `${from}:a.${from}`)
    const cut = whole.subarray(0, whole.length * share)
    const { bytes, warnings } = await pictures.convertBytes(cut, { from, to: 'png' })
    expect(warnings).toEqual([expect.stringContaining('damaged or incomplete')])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120 })
    const strictly = { operation: 'convert', sources: [{ format: from, content: cut }], to: 'png' } as const
    expect(await pictures.bench.run({ ...strictly, options: { strict: true } })).toMatchObject({
      code: 'input_damaged',
    })
  })
})

describe('TIFF whose pages differ in size', () => {
  it('keeps them all, each of its own size', async () => {
    const pages = [
      await samplePng(),
      await sharp(await samplePng())
        .resize(80, 200, { fit: 'fill' })
        .png()
        .toBuffer(),
    ]
    const files = { 'a.png': pages[0] ?? '', 'b.png': pages[1] ?? '' }
    const { outputs } = await pictures.bench.tool('magick', ['a.png', 'b.png', 'a.tiff'], {
      files,
      outputs: ['a.tiff'],
    })
    for (const options of [{}, { compression: 'deflate' }, { compression: 'none', dpi: 200 }]) {
      const { bytes } = await pictures.convertBytes(outputs['a.tiff'] ?? Buffer.alloc(0), {
        from: 'tiff',
        to: 'tiff',
        options,
      })
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120, pages: 2 })
      expect(await sharp(bytes, { page: 1 }).metadata()).toMatchObject({ width: 80, height: 200 })
      const [left = []] = await halvesOf(await sharp(bytes, { page: 1 }).png().toBuffer())
      expect(left).toEqual([255, 0, 0])
    }
  })
})

describe('pages', () => {
  it.each(['heic', 'jxl', 'raw', 'psd'])('are made of %s', async (from) => {
    const { bytes } = await pictures.convert(from, 'pdf')
    const [page] = (await PDFDocument.load(bytes)).getPages()
    expect((page?.getWidth() ?? 0) / (page?.getHeight() ?? 1)).toBeCloseTo(160 / 120, 1)
  })
})
