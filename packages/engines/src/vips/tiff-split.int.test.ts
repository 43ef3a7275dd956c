import { readFileSync } from 'node:fs'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { pictureLimits } from '../pictures/limits.ts'

sharp.cache(false)

const bench = usePlanBench()

/** A TIFF of four pages of different sizes, as ImageMagick writes it. */
async function makeTiff(...how: string[]): Promise<Buffer> {
  const files: Record<string, Buffer> = {}
  for (const n of [1, 2, 3, 4]) {
    const noise = { create: { width: 100 + n, height: 60 + n, channels: 3, background: 'red' } } as const
    files[`${n}.png`] = await sharp({
      ...noise,
      create: { ...noise.create, noise: { type: 'gaussian', mean: 100, sigma: 40 } },
    })
      .png()
      .toBuffer()
  }
  const io = { files, outputs: ['out.tiff'] }
  const { outputs, end } = await bench.tool('magick', [...Object.keys(files), ...how, 'out.tiff'], io)
  if (!outputs['out.tiff']) throw new Error(end.stderr)
  return outputs['out.tiff']
}

async function split(content: Buffer, options: Record<string, unknown> = {}) {
  const end = await bench.run({ operation: 'split', sources: [{ format: 'tiff', content }], to: 'tiff', options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return { files: end.files.map(({ bytes }) => bytes), warnings: end.warnings }
}

const pixels = (tiff: Buffer, page: number) => sharp(tiff, { page }).raw().toBuffer()
const pagesOf = async (tiff: Buffer) => (await sharp(tiff).metadata()).pages ?? 1

describe('a TIFF that is split', () => {
  it.each([
    ['LZW', ['-compress', 'LZW']],
    ['JPEG', ['-compress', 'JPEG', '-quality', '80']],
    ['Zip in tiles', ['-compress', 'Zip', '-define', 'tiff:tile-geometry=64x64']],
    ['Group 4, one bit', ['-monochrome', '-compress', 'Group4']],
    ['RLE, most significant byte first', ['-compress', 'RLE', '-endian', 'MSB']],
    [
      'no compression, several strips, 16 bits',
      ['-compress', 'None', '-depth', '16', '-define', 'tiff:rows-per-strip=7'],
    ],
  ])('keeps every pixel of every page: %s', async (_, how) => {
    const whole = await makeTiff(...how)
    const { files, warnings } = await split(whole)
    expect(warnings).toEqual([])
    expect(files).toHaveLength(4)
    for (const [n, file] of files.entries()) {
      expect(await pagesOf(file)).toBe(1)
      expect((await pixels(file, 0)).equals(await pixels(whole, n))).toBe(true)
    }
  })

  it('may be a BigTIFF', async () => {
    const whole = await sharp(readFileSync(fixturePath('photo-40k.jpg')))
      .tiff({ bigtiff: true })
      .toBuffer()
    expect(whole.readUInt16LE(2)).toBe(43)
    const { files } = await split(whole)
    expect(files).toHaveLength(1)
    expect(files[0]?.readUInt16LE(2)).toBe(43)
    expect((await pixels(files[0] ?? Buffer.alloc(0), 0)).equals(await pixels(whole, 0))).toBe(true)
  })

  it('keeps profiles and EXIF', async () => {
    const photo = sharp(readFileSync(fixturePath('photo-40k.jpg'))).withIccProfile('p3')
    const plain = await photo.tiff({ pyramid: true, tile: true }).toBuffer()
    const args = ['-Artist=Ada', '-DateTimeOriginal=2020:01:02 03:04:05', '-o', 'tagged.tiff', 'plain.tiff']
    const { outputs } = await bench.tool('exiftool', args, { files: { 'plain.tiff': plain }, outputs: ['tagged.tiff'] })
    const whole = outputs['tagged.tiff'] ?? Buffer.alloc(0)
    expect(whole.includes('2020:01:02 03:04:05')).toBe(true)
    const [file = Buffer.alloc(0)] = (await split(whole)).files
    const [before, after] = [await sharp(whole).metadata(), await sharp(file).metadata()]
    expect(after.icc?.equals(before.icc ?? Buffer.alloc(0))).toBe(true)
    expect([file.includes('Ada'), file.includes('2020:01:02 03:04:05')]).toEqual([true, true])
  })

  it('has as many pages in each file as asked for', async () => {
    const { files } = await split(await makeTiff(), { pages_per_file: 3 })
    expect(await Promise.all(files.map(pagesOf))).toEqual([3, 1])
  })

  it('has a file for each range, backwards too', async () => {
    const whole = await makeTiff()
    const { files } = await split(whole, { by: 'ranges', ranges: '4-3,2,-2' })
    expect(await Promise.all(files.map(pagesOf))).toEqual([2, 1, 2])
    expect((await pixels(files[0] ?? Buffer.alloc(0), 0)).equals(await pixels(whole, 3))).toBe(true)
  })

  it('that was cut off gives what is there, with a warning; strict refuses it', async () => {
    const whole = await makeTiff('-compress', 'None')
    // ImageMagick writes the directory of a page after its pixels. A length beyond the end simulates a lost strip.
    const first = whole.readUInt32LE(4)
    const entry = Array.from({ length: whole.readUInt16LE(first) }, (_, n) => first + 2 + n * 12).find(
      (at) => whole.readUInt16LE(at) === 279,
    )
    if (entry === undefined) throw new Error('no lengths')
    whole.writeUInt16LE(4, entry + 2)
    whole.writeUInt32LE(1, entry + 4)
    whole.writeUInt32LE(0x7f_ff_ff_ff, entry + 8)
    const { files, warnings } = await split(whole)
    expect(files).toHaveLength(4)
    expect(warnings.join()).toContain('damaged or incomplete')
    await expect(split(whole, { strict: true })).rejects.toThrow('input_damaged')
  })

  it.each([
    [{ by: 'ranges' }, 'unsupported: The option ranges is required'],
    [{ by: 'ranges', ranges: '2-5' }, 'unsupported: The option ranges asks for a page that does not exist'],
  ])('with %j is refused', async (options, text) => {
    await expect(split(await makeTiff(), options)).rejects.toThrow(text)
  })
})

/** A classic TIFF whose directories have no tags. The last one points to `endsAt`. */
function tiffOf(pages: number, { endsAt = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(8 + pages * 6)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  for (let n = 0; n < pages; n++) bytes.writeUInt32LE(n === pages - 1 ? endsAt : 8 + (n + 1) * 6, 8 + n * 6 + 2)
  return bytes
}

describe('pages of a TIFF to split, 10,000', () => {
  it.each([
    ['one below', -1],
    ['the limit', 0],
    ['one above', 1],
  ] as const)('%s [L-tiff-split]', async (_, step) => {
    const most = pictureLimits.splitPages
    const pages = split(tiffOf(most + step), { pages_per_file: most })
    if (step > 0) await expect(pages).rejects.toThrow('limit_exceeded')
    else expect((await pages).files).toHaveLength(1)
  })
})

describe('a hostile TIFF', () => {
  it.each([
    ['in a circle', 8],
    ['beyond the end of the file', 9999],
  ])('whose pages lead %s gives those before it, with a warning', async (_, endsAt) => {
    const { files, warnings } = await split(tiffOf(3, { endsAt }))
    expect(files).toHaveLength(3)
    expect(warnings.join()).toContain('damaged or incomplete')
    await expect(split(tiffOf(3, { endsAt }), { strict: true })).rejects.toThrow('input_damaged')
  })

  it('whose strips all show the same bytes does not fill the disk', async () => {
    const strips = 5000
    const data = Buffer.alloc(100_000)
    const at = 8 + 2 + 2 * 12 + 4
    const head = Buffer.alloc(at)
    head.write('II*\0', 'latin1')
    head.writeUInt32LE(8, 4)
    head.writeUInt16LE(2, 8)
    for (const [n, tag] of [273, 279].entries()) {
      head.writeUInt16LE(tag, 10 + n * 12)
      head.writeUInt16LE(4, 12 + n * 12)
      head.writeUInt32LE(strips, 14 + n * 12)
      head.writeUInt32LE(at + n * strips * 4, 18 + n * 12)
    }
    const values = Buffer.alloc(strips * 8)
    for (let n = 0; n < strips; n++) {
      values.writeUInt32LE(at, n * 4)
      values.writeUInt32LE(100_000, (strips + n) * 4)
    }
    await expect(split(Buffer.concat([head, values, data]))).rejects.toThrow('limit_exceeded')
  })
})
