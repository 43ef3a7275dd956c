import { isFailure, type ProcessingOperation } from '@lathe/domain'
import { detectFormat, resolveFormat } from '@lathe/formats'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { samplePictures, samplePng } from '../testing/sample-pictures.ts'
import { readable } from './decoders.ts'
import { writable } from './encoders.ts'

let bench: PlanBench
let samples: Readonly<Record<string, Buffer>>

beforeAll(async () => {
  bench = await openPlanBench()
  samples = await samplePictures(bench)
})
afterAll(() => bench[Symbol.asyncDispose]())

interface Asked {
  readonly from: string
  readonly to: string
  readonly options?: Record<string, unknown>
  readonly operation?: ProcessingOperation
}

async function convert(from: string, to: string, options: Record<string, unknown> = {}) {
  const content = from === 'png' ? await samplePng() : (samples[from] ?? Buffer.alloc(0))
  return convertBytes(content, { from, to, options })
}

async function convertBytes(content: Uint8Array, { from, to, options = {}, operation = 'convert' }: Asked) {
  const end = await bench.run({ operation, sources: [{ format: from, content }], to, options })
  if (isFailure(end)) throw new Error(`${from} to ${to}: ${end.code} ${end.text} ${end.detail}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

/** The colours in the middle of the left and the right half. */
async function halves(bytes: Buffer): Promise<readonly (readonly number[])[]> {
  const { data, info } = await sharp(bytes).flatten().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const middle = Math.floor(info.height / 2) * info.width
  return [1, 3].map((quarter) => {
    const at = (middle + Math.floor((info.width * quarter) / 4)) * info.channels
    return [...data.subarray(at, at + Math.min(3, info.channels))]
  })
}

const gray = ['pgm', 'pbm', 'fits', 'pfm', 'pcd']
/** Formats that cannot hold the sample's size; a Photo CD puts white around it. */
const sizes: Readonly<Record<string, object>> = {
  icns: { width: 128, height: 128 },
  pcd: { width: 768, height: 512 },
}
const moving = ['apng', 'fli']

describe('every format read', () => {
  it.each(readable)('%s becomes a PNG of the same size and colours', async (from) => {
    const { bytes, warnings } = await convert(from, 'png')
    expect(warnings).toHaveLength(moving.includes(from) ? 1 : 0)
    const size = sizes[from] ?? { width: 160, height: 120 }
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', ...size })
    const [left = [], right = []] = await halves(bytes)
    if (gray.includes(from)) return
    // LibRaw brightens a sensor's numbers, so only which colour leads is certain there.
    expect(left[0]).toBeGreaterThan(200)
    expect(left[2]).toBeLessThan(from === 'raw' ? 120 : 40)
    expect(right[2]).toBeGreaterThan(200)
    expect(right[0]).toBeLessThan(from === 'raw' ? 120 : 40)
  })
})

describe('animations', () => {
  it.each([
    ['apng', 2, 100],
    ['fli', 3, 70],
  ])('%s keeps its frames and their times as gif and webp', async (from, pages, delay) => {
    for (const to of ['gif', 'webp']) {
      const { bytes, warnings } = await convert(from, to)
      expect(warnings).toEqual([])
      const meta = await sharp(bytes).metadata()
      expect(meta).toMatchObject({ pages, width: 160, delay: Array.from({ length: pages }, () => delay) })
    }
  })
})

describe('a picture that libvips does not read', () => {
  const png = samplePng()
  const make = async (args: readonly string[], out: string) => {
    const { outputs } = await bench.tool('magick', ['png:a.png', ...args, out], {
      files: { 'a.png': await png },
      outputs: [out.slice(out.indexOf(':') + 1)],
    })
    return Object.values(outputs)[0] ?? Buffer.alloc(0)
  }

  it('such as TIFF in Lab colours is decoded by another program', async () => {
    const lab = await make(['-colorspace', 'Lab'], 'tiff:a.tiff')
    for (const to of ['png', 'jpg', 'pdf', 'bmp']) {
      const { bytes, warnings } = await convertBytes(lab, { from: 'tiff', to })
      expect(warnings).toEqual([])
      if (to !== 'png') continue
      const [left = [], right = []] = await halves(bytes)
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
    const { bytes, warnings } = await convertBytes(cut, { from, to: 'png' })
    expect(warnings).toEqual([expect.stringContaining('damaged or incomplete')])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120 })
    const strictly = { operation: 'convert', sources: [{ format: from, content: cut }], to: 'png' } as const
    expect(await bench.run({ ...strictly, options: { strict: true } })).toMatchObject({ code: 'input_damaged' })
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
    const { outputs } = await bench.tool('magick', ['a.png', 'b.png', 'a.tiff'], { files, outputs: ['a.tiff'] })
    for (const options of [{}, { compression: 'deflate' }, { compression: 'none', dpi: 200 }]) {
      const { bytes } = await convertBytes(outputs['a.tiff'] ?? Buffer.alloc(0), { from: 'tiff', to: 'tiff', options })
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120, pages: 2 })
      expect(await sharp(bytes, { page: 1 }).metadata()).toMatchObject({ width: 80, height: 200 })
      const [left = []] = await halves(await sharp(bytes, { page: 1 }).png().toBuffer())
      expect(left).toEqual([255, 0, 0])
    }
  })
})

describe('every format written', () => {
  it.each(writable)('%s is what it says, and shows the picture when read again', async (to) => {
    const { bytes } = await convert('png', to)
    // Targa has no signature, so its name is all there is.
    expect(resolveFormat({ detected: detectFormat(bytes), filename: `a.${to}` }).ext).toBe(to)
    const back = await convertBytes(bytes, { from: to, to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 160, height: 120 })
    const [left = [], right = []] = await halves(back.bytes)
    if (gray.includes(to)) return
    expect(left[0]).toBeGreaterThan(200)
    expect(left[2]).toBeLessThan(50)
    expect(right[2]).toBeGreaterThan(200)
    expect(right[0]).toBeLessThan(50)
  })
})

describe('options', () => {
  it.each([
    ['heic', 'webp'],
    ['raw', 'jpg'],
    ['psd', 'heic'],
    ['svg', 'bmp'],
  ])('of size and turn work from %s to %s', async (from, to) => {
    const options = { width: 60, rotate: '90' }
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"/>')
    const content = from === 'svg' ? drawing : (samples[from] ?? Buffer.alloc(0))
    const { bytes } = await convertBytes(content, { from, to, options })
    const shown = ['heic', 'bmp'].includes(to) ? (await convertBytes(bytes, { from: to, to: 'png' })).bytes : bytes
    expect(await sharp(shown).metadata()).toMatchObject({ width: 60, height: 80 })
  })

  it.each(['exr', 'psd', 'raw', 'jxl'])('of depth keep 16 bits from %s', async (from) => {
    const { bytes } = await convert(from, 'png', { depth: '16' })
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
      await convertBytes(content, { from: 'png', to, options: small }),
      await convertBytes(content, { from: 'png', to, options: large }),
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
    const { bytes } = await convertBytes(noise, { from: 'png', to, options: { lossless: true } })
    const back = await convertBytes(bytes, { from: to, to: 'png' })
    expect((await sharp(back.bytes).raw().toBuffer()).equals(await sharp(noise).raw().toBuffer())).toBe(true)
  })

  it('fill transparency where a format has none', async () => {
    const clear = await sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const { bytes } = await convertBytes(clear, { from: 'png', to: 'bmp', options: { background: '#00ff00' } })
    const [left] = await halves((await convertBytes(bytes, { from: 'bmp', to: 'png' })).bytes)
    expect(left).toEqual([0, 255, 0])
  })
})

describe('icons', () => {
  it('hold at most 256 pixels a side, and say so', async () => {
    const large = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { bytes, warnings } = await convertBytes(large, { from: 'png', to: 'ico' })
    expect(warnings).toHaveLength(1)
    const back = await convertBytes(bytes, { from: 'ico', to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 256, height: 128 })
  })

  it('of several sizes are read as their largest, or as the one asked for', async () => {
    const square = await sharp({ create: { width: 256, height: 256, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { bytes } = await convertBytes(square, { from: 'png', to: 'ico', options: { sizes: 'all' } })
    const largest = await convertBytes(bytes, { from: 'ico', to: 'png' })
    expect((await sharp(largest.bytes).metadata()).width).toBe(256)
    const last = await convertBytes(bytes, { from: 'ico', to: 'png', options: { page: 6 } })
    expect((await sharp(last.bytes).metadata()).width).toBe(16)
    await expect(convertBytes(bytes, { from: 'ico', to: 'png', options: { page: 7 } })).rejects.toThrow('it holds 6')
  })
})

describe('colours', () => {
  it('of a CMYK Photoshop document come out as they are printed', async () => {
    const { outputs } = await bench.tool('magick', ['png:a.png', '-colorspace', 'CMYK', 'psd:a.psd'], {
      files: { 'a.png': await samplePng() },
      outputs: ['a.psd'],
    })
    const { bytes } = await convertBytes(outputs['a.psd'] ?? Buffer.alloc(0), { from: 'psd', to: 'jpg' })
    expect((await sharp(bytes).metadata()).space).toBe('srgb')
    const [left = [], right = []] = await halves(bytes)
    expect(left[0]).toBeGreaterThan(200)
    expect(right[2]).toBeGreaterThan(right[0] ?? 255)
  })

  it('of a profile are kept when metadata is', async () => {
    const p3 = await sharp(await samplePng())
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const { outputs } = await bench.tool('magick', ['jpeg:a.jpg', 'heic:a.heic'], {
      files: { 'a.jpg': p3 },
      outputs: ['a.heic'],
    })
    const heic = outputs['a.heic'] ?? Buffer.alloc(0)
    const kept = await convertBytes(heic, { from: 'heic', to: 'jpg', options: { strip: false } })
    expect((await sharp(kept.bytes).metadata()).icc?.length).toBeGreaterThan(400)
    const stripped = await convertBytes(heic, { from: 'heic', to: 'jpg' })
    expect((await sharp(stripped.bytes).metadata()).icc).toBeUndefined()
  })
})

describe('EXIF', () => {
  async function photograph(format: string, exif: boolean) {
    const plain = sharp(await samplePng()).jpeg()
    const jpg = await (exif
      ? plain.withExif({ IFD0: { Copyright: 'Lathe fixtures', Orientation: '6' } })
      : plain
    ).toBuffer()
    const files = { 'a.jpg': jpg }
    const outputs = [`a.${format}`]
    const made =
      format === 'jxl'
        ? await bench.tool('cjxl', ['a.jpg', 'a.jxl', '--lossless_jpeg=0'], { files, outputs })
        : await bench.tool('magick', ['jpeg:a.jpg', `${format}:a.${format}`], { files, outputs })
    return made.outputs[`a.${format}`] ?? Buffer.alloc(0)
  }

  it.each([
    ['heic', 'jpg'],
    ['heic', 'png'],
    ['jxl', 'jpg'],
  ])('goes from %s to %s when told to, upright, and not by default', async (from, to) => {
    const content = await photograph(from, true)
    const kept = await convertBytes(content, { from, to, options: { strip: false } })
    expect(kept.bytes.includes('Lathe fixtures')).toBe(true)
    if (to === 'jpg') expect((await sharp(kept.bytes).metadata()).orientation).toBe(1)
    expect((await sharp(kept.bytes).stats()).channels).toHaveLength(3)
    const stripped = await convertBytes(content, { from, to })
    expect(stripped.bytes.includes('Lathe fixtures')).toBe(false)
  })

  it('that is not there is not missed', async () => {
    const content = await photograph('heic', false)
    const { bytes, warnings } = await convertBytes(content, { from: 'heic', to: 'jpg', options: { strip: false } })
    expect(warnings).toEqual([])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120 })
  })
})

describe('cropping', () => {
  it.each(['heic', 'jxl', 'bmp', 'psd', 'exr'])('%s keeps the area asked for', async (format) => {
    const options = { x: 100, y: 10, width: 40, height: 30 }
    const content = samples[format] ?? Buffer.alloc(0)
    const { bytes } = await convertBytes(content, { from: format, to: format, options, operation: 'crop' })
    const back = await convertBytes(bytes, { from: format, to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 40, height: 30 })
    const [left = []] = await halves(back.bytes)
    expect(left[2]).toBeGreaterThan(200)
  })
})

describe('compressing', () => {
  it.each(['heic', 'jxl', 'jp2'])('%s keeps a target size, and comes close to it', async (format) => {
    const photo = await sharp(fixturePath('photo-40k.jpg')).resize(320).png().toBuffer()
    const best = await convertBytes(photo, { from: 'png', to: format, options: { quality: 95 } })
    const target = Math.round(best.bytes.length / 3)
    const { bytes } = await convertBytes(best.bytes, {
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
    await expect(convertBytes(samples.heic ?? Buffer.alloc(0), asked)).rejects.toThrow('256 bytes')
  })
})

describe('pages', () => {
  it.each(['heic', 'jxl', 'raw', 'psd'])('are made of %s', async (from) => {
    const { bytes } = await convert(from, 'pdf')
    const [page] = (await PDFDocument.load(bytes)).getPages()
    expect((page?.getWidth() ?? 0) / (page?.getHeight() ?? 1)).toBeCloseTo(160 / 120, 1)
  })
})
