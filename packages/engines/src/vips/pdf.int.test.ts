import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type { GivenOptions } from '@lathe/operations'
import { startRunner, type TestRunner } from '@lathe/testing'
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { planTask } from '../registry.ts'

// Outputs share a name, and the cache of libvips would return the pixels of an earlier one.
sharp.cache(false)

let runner: TestRunner
let folder: string
beforeAll(async () => {
  runner = await startRunner(join(import.meta.dirname, 'runner.mjs'))
})
afterAll(() => runner[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-pdf-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function toPdf(paths: readonly string[], options: GivenOptions = {}) {
  const sources = await Promise.all(
    paths.map(async (path, n) => {
      const format = path.slice(path.lastIndexOf('.') + 1)
      await copyFile(path, join(folder, `in-${n}.${format}`))
      return { file: `in-${n}.${format}`, format, size: 1, filename: 'x' }
    }),
  )
  const plan = planTask({ operation: 'convert', sources, to: 'pdf', options })
  if (plan.kind === 'failure' || plan.steps[0]?.kind !== 'call') throw new Error('no plan')
  return runner.call(folder, plan.steps[0].request)
}

const fixtures = (...names: FixtureName[]) => names.map(fixturePath)
const load = async () => PDFDocument.load(await readFile(join(folder, 'out-0.pdf')), { updateMetadata: false })
const sizes = async () => (await load()).getPages().map((page) => page.getSize())

/** The images inside a document. */
async function images() {
  const objects = (await load()).context.enumerateIndirectObjects().map(([, object]) => object)
  const streams = objects.filter((object) => object instanceof PDFRawStream)
  return streams.filter(({ dict }) => String(dict.get(PDFName.of('Subtype'))) === '/Image')
}

/** The position of the only image on the first page: the numbers of its first matrix. */
async function placement() {
  const [page] = (await load()).getPages()
  const contents = page?.node.Contents()
  const stream = contents && 'lookup' in contents ? contents.lookup(0) : contents
  const bytes = stream instanceof PDFRawStream ? stream.contents : new Uint8Array()
  const text = Buffer.from(bytes[0] === 0x78 ? inflateSync(bytes) : bytes).toString('latin1')
  const numbers = /([\d.\- ]+) cm/.exec(text)?.[1]?.trim().split(' ').map(Number) ?? []
  return { width: numbers[0], height: numbers[3], left: numbers[4], bottom: numbers[5] }
}

/** A TIFF with this many gray pages, one pixel wide and one to seven high, each in a different shade than the last. */
function manyPages(count: number, isLittle: boolean): Buffer {
  const short = (value: number) => Buffer.from(isLittle ? [value & 255, value >> 8] : [value >> 8, value & 255])
  const long = (value: number) => {
    const bytes = Buffer.alloc(4)
    if (isLittle) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const parts = [Buffer.from(isLittle ? 'II*\0' : 'MM\0*', 'latin1'), long(8)]
  let at = 8
  for (let n = 0; n < count; n++) {
    const height = 1 + (n % 7)
    const pixels = at + 2 + 8 * 12 + 4
    // Width, height, bits, no compression, black is zero, offset of the pixels, rows per strip, bytes per strip.
    const fields = [256, 1, 257, height, 258, 8, 259, 1, 262, 1, 273, pixels, 278, height, 279, height]
    at = pixels + height + (height % 2)
    parts.push(short(8))
    for (let f = 0; f < fields.length; f += 2)
      parts.push(short(fields[f] ?? 0), short(4), long(1), long(fields[f + 1] ?? 0))
    parts.push(long(n === count - 1 ? 0 : at), Buffer.alloc(height + (height % 2), n % 251))
  }
  return Buffer.concat(parts)
}

describe('an image as a PDF', () => {
  it('has a page as large as itself', async () => {
    expect(await toPdf(fixtures('photo-40k.jpg'))).toMatchObject({ ok: true })
    expect(await sizes()).toEqual([{ width: 640, height: 480 }])
  })

  it('has a page of the size asked for, with the image enlarged and in the middle [S-opt-14]', async () => {
    await toPdf(fixtures('alpha.png'), { pdf_page_size: '1240.2x1753.95' })
    expect(await sizes()).toEqual([{ width: expect.closeTo(595.3, 1), height: expect.closeTo(841.9, 1) }])
    const placed = await placement()
    expect(placed).toMatchObject({ width: expect.closeTo(595.3, 1), left: expect.closeTo(0, 1) })
    expect(placed.bottom).toBeCloseTo((841.9 - 595.3 * 0.75) / 2, 0)
  })

  it('is not enlarged if asked not to [S-opt-15]', async () => {
    await toPdf(fixtures('alpha.png'), { pdf_page_size: '1240.2x1753.95', enlarge_images_to_fit: 'false' })
    expect(await placement()).toMatchObject({ width: 200, height: 150 })
  })

  it('shrinks to the page even when it may not be enlarged', async () => {
    await toPdf(fixtures('photo-100k.jpg'), { pdf_page_size: '1240.2x1753.95', enlarge_images_to_fit: false })
    expect((await placement()).width).toBeCloseTo(595.3, 1)
  })

  it('is shown upright without being encoded anew', async () => {
    await toPdf(fixtures('rotated-exif.jpg'))
    expect(await sizes()).toEqual([{ width: 200, height: 320 }])
    const [image] = await images()
    expect(await sharp(Buffer.from(image?.contents ?? [])).metadata()).toMatchObject({ width: 320, height: 200 })
  })

  it('loses EXIF by default, keeps it if asked to, and keeps its pixels either way [S-opt-13]', async () => {
    const pixels = await sharp(fixturePath('photo-40k.jpg')).raw().toBuffer()
    for (const strip of [true, false]) {
      await toPdf(fixtures('photo-40k.jpg'), { strip })
      const data = Buffer.from((await images())[0]?.contents ?? [])
      expect(data.includes('Lathe fixtures')).toBe(!strip)
      expect((await sharp(data).raw().toBuffer()).equals(pixels)).toBe(true)
    }
  })

  it('keeps the exact pixels and the transparency of a PNG', async () => {
    await toPdf(fixtures('alpha.png'))
    const found = await images()
    expect(found).toHaveLength(2)
    const colour = found.find(({ dict }) => dict.has(PDFName.of('SMask')))
    expect(inflateSync(colour?.contents ?? new Uint8Array()).length).toBe(150 * (1 + 200 * 3))
  })

  it('has a page for each page of a TIFF', async () => {
    await toPdf(fixtures('pages.tiff'))
    expect(await sizes()).toEqual(Array(4).fill({ width: 120, height: 90 }))
  })

  // Reading all pages again for each one would take minutes.
  it.each([
    [1500, true],
    [40, false],
  ])(
    'has each of the %i pages of a TIFF in its place (little-endian: %s)',
    { timeout: 60_000 },
    async (count, isLittle) => {
      const path = join(folder, 'many.tiff')
      await writeFile(path, manyPages(count, isLittle))
      expect(await toPdf([path])).toMatchObject({ ok: true })
      const all = Array.from({ length: count }, (_, n) => n)
      expect((await sizes()).map(({ height }) => height)).toEqual(all.map((n) => 1 + (n % 7)))
      expect((await images()).map(({ contents }) => inflateSync(contents)[1])).toEqual(all.map((n) => n % 251))
    },
  )

  it('warns that an animation lost its frames', async () => {
    expect((await toPdf(fixtures('animated.gif'))).result?.warnings).toHaveLength(1)
  })

  it('turns colours of another profile into sRGB', async () => {
    const path = join(folder, 'p3.jpg')
    await sharp(fixturePath('photo-40k.jpg')).withIccProfile('p3').jpeg().toFile(path)
    expect(await toPdf([path])).toMatchObject({ ok: true })
    expect((await sharp(Buffer.from((await images())[0]?.contents ?? [])).metadata()).icc).toBeUndefined()
  })

  it('of a truncated JPEG holds what can be read, with a warning, or is refused if asked to be strict', async () => {
    const bytes = await readFile(fixturePath('photo-40k.jpg'))
    const path = join(folder, 'cut.jpg')
    await writeFile(path, bytes.subarray(0, 20_000))
    const warnings = [expect.stringContaining('damaged or incomplete')]
    expect(await toPdf([path])).toMatchObject({ ok: true, result: { warnings } })
    // PDF readers reject truncated image data, so it is encoded again.
    const made = Buffer.from((await images())[0]?.contents ?? [])
    await expect(sharp(made, { failOn: 'warning' }).stats()).resolves.toBeDefined()
    expect(await toPdf([path], { strict: true })).toMatchObject({ ok: false, code: 'input_damaged' })
  })
})
