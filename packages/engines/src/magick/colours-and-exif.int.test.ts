import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { halvesOf, openPictureBench, type PictureBench } from '../testing/picture-bench.ts'
import { samplePng } from '../testing/sample-pictures.ts'

let pictures: PictureBench
beforeAll(async () => {
  pictures = await openPictureBench()
})
afterAll(() => pictures[Symbol.asyncDispose]())

describe('colours', () => {
  it('of a CMYK Photoshop document come out as they are printed', async () => {
    const { outputs } = await pictures.bench.tool('magick', ['png:a.png', '-colorspace', 'CMYK', 'psd:a.psd'], {
      files: { 'a.png': await samplePng() },
      outputs: ['a.psd'],
    })
    const { bytes } = await pictures.convertBytes(outputs['a.psd'] ?? Buffer.alloc(0), { from: 'psd', to: 'jpg' })
    expect((await sharp(bytes).metadata()).space).toBe('srgb')
    const [left = [], right = []] = await halvesOf(bytes)
    expect(left[0]).toBeGreaterThan(200)
    expect(right[2]).toBeGreaterThan(right[0] ?? 255)
  })

  it('of a profile are kept when metadata is', async () => {
    const p3 = await sharp(await samplePng())
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const { outputs } = await pictures.bench.tool('magick', ['jpeg:a.jpg', 'heic:a.heic'], {
      files: { 'a.jpg': p3 },
      outputs: ['a.heic'],
    })
    const heic = outputs['a.heic'] ?? Buffer.alloc(0)
    const kept = await pictures.convertBytes(heic, { from: 'heic', to: 'jpg', options: { strip: false } })
    expect((await sharp(kept.bytes).metadata()).icc?.length).toBeGreaterThan(400)
    const stripped = await pictures.convertBytes(heic, { from: 'heic', to: 'jpg' })
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
        ? await pictures.bench.tool('cjxl', ['a.jpg', 'a.jxl', '--lossless_jpeg=0'], { files, outputs })
        : await pictures.bench.tool('magick', ['jpeg:a.jpg', `${format}:a.${format}`], { files, outputs })
    return made.outputs[`a.${format}`] ?? Buffer.alloc(0)
  }

  it.each([
    ['heic', 'jpg'],
    ['heic', 'png'],
    ['jxl', 'jpg'],
  ])('goes from %s to %s if asked to, upright, and not by default', async (from, to) => {
    const content = await photograph(from, true)
    const kept = await pictures.convertBytes(content, { from, to, options: { strip: false } })
    expect(kept.bytes.includes('Lathe fixtures')).toBe(true)
    if (to === 'jpg') expect((await sharp(kept.bytes).metadata()).orientation).toBe(1)
    expect((await sharp(kept.bytes).stats()).channels).toHaveLength(3)
    const stripped = await pictures.convertBytes(content, { from, to })
    expect(stripped.bytes.includes('Lathe fixtures')).toBe(false)
  })

  it('that is not there is not missed', async () => {
    const content = await photograph('heic', false)
    const { bytes, warnings } = await pictures.convertBytes(content, {
      from: 'heic',
      to: 'jpg',
      options: { strip: false },
    })
    expect(warnings).toEqual([])
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 160, height: 120 })
  })
})
