import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { samplePdf } from '../testing/sample-pdf.ts'

sharp.cache(false)

const bench = usePlanBench()
let sample: Uint8Array
beforeAll(async () => {
  sample = await samplePdf()
})

async function convert(to: string, options: Record<string, unknown> = {}, content: string | Uint8Array = sample) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: 'pdf', content }], to, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return end
}

const sizesOf = async (files: readonly { bytes: Buffer }[]) =>
  Promise.all(
    files.map(async ({ bytes }) =>
      sharp(bytes)
        .metadata()
        .then(({ width, height }) => [width, height]),
    ),
  )

/** The color of one pixel. */
async function colourAt(picture: Buffer, left: number, top: number) {
  const { data } = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

describe('pages as images', () => {
  it('are one file a page, of the size their resolution gives', async () => {
    const { files } = await convert('png')
    expect(await sizesOf(files)).toEqual([
      [625, 834],
      [834, 625],
      [625, 834],
    ])
  })

  it('show what is on the page, where it is', async () => {
    const { files } = await convert('png', { dpi: 72, pages: '2' })
    expect(files).toHaveLength(1)
    const picture = files[0]?.bytes ?? Buffer.alloc(0)
    expect(await sizesOf(files)).toEqual([[400, 300]])
    expect(await colourAt(picture, 50, 50)).toEqual([255, 0, 0])
    expect(await colourAt(picture, 350, 250)).toEqual([0, 0, 255])
    expect(await colourAt(picture, 350, 50)).toEqual([255, 255, 255])
  })

  it('are only those chosen', async () => {
    const { files } = await convert('jpg', { dpi: 36, pages: '3,1' })
    expect(await sizesOf(files)).toEqual([
      [150, 200],
      [150, 200],
    ])
  })

  it('fit into a width and a height', async () => {
    const { files } = await convert('jpg', { width: 200, height: 200 })
    expect(await sizesOf(files)).toEqual([
      [150, 200],
      [200, 150],
      [150, 200],
    ])
  })

  it('can be transparent, and gray', async () => {
    const { files } = await convert('png', { dpi: 72, pages: '1', transparent: true })
    expect(await colourAt(files[0]?.bytes ?? Buffer.alloc(0), 250, 20)).toEqual([0, 0, 0, 0])
    const { files: grays } = await convert('png', { dpi: 72, pages: '1', gray: true })
    const [red, green, blue] = await colourAt(grays[0]?.bytes ?? Buffer.alloc(0), 50, 50)
    expect(red).toBe(green)
    expect(green).toBe(blue)
  })

  it('are one TIFF of many pages', async () => {
    const { files } = await convert('tiff', { dpi: 72 })
    expect(files).toHaveLength(1)
    const picture = files[0]?.bytes ?? Buffer.alloc(0)
    expect((await sharp(picture).metadata()).pages).toBe(3)
    const second = await sharp(picture, { page: 1 }).png().toBuffer()
    expect(await sizesOf([{ bytes: second }])).toEqual([[400, 300]])
    expect(await colourAt(second, 50, 50)).toEqual([255, 0, 0])
  })

  it.each(['webp', 'avif'])('are %s, with the numbers of their pages', async (to) => {
    const { files } = await convert(to, { dpi: 72, pages: '2-', quality: 70 })
    expect(await sizesOf(files)).toEqual([
      [400, 300],
      [300, 400],
    ])
    const [red = 0, green = 255] = await colourAt(files[0]?.bytes ?? Buffer.alloc(0), 50, 50)
    expect(red - green).toBeGreaterThan(230)
  })
})

describe('other outputs', () => {
  it('an SVG of each page', async () => {
    const { files } = await convert('svg', { pages: '1,3' })
    expect(await sizesOf(files)).toEqual([
      [300, 400],
      [300, 400],
    ])
    expect(
      await colourAt(await sharp(files[0]?.bytes).flatten({ background: 'white' }).png().toBuffer(), 50, 50),
    ).toEqual([255, 0, 0])
  })

  it('one HTML page, without other files', async () => {
    const { files } = await convert('html')
    const page = String(files[0]?.bytes).replaceAll('&#160;', ' ')
    expect(files).toHaveLength(1)
    expect(page.match(/Page \d of the sample/g)).toHaveLength(3)
    expect(page.match(/(?:src|href)="(?!data:|#)[^"]*"/g)).toBeNull()
  })

  it.each(['docx', 'odt'])(
    'an editable document: %s',
    async (to) => {
      const { files, warnings } = await convert(to)
      expect(warnings).toEqual([expect.stringContaining('each line is a text box')])
      const content = files[0]?.bytes ?? ''
      const back = await bench.run({ operation: 'convert', sources: [{ format: to, content }], to: 'pdf' })
      if (isFailure(back)) throw new Error(back.detail)
      const { files: words } = await convert('txt', {}, back.files[0]?.bytes)
      expect(String(words[0]?.bytes).match(/Page \d of the sample/g)).toHaveLength(3)
    },
    60_000,
  )
})

describe('text', () => {
  it('is all there, page after page', async () => {
    const { files } = await convert('txt')
    expect(String(files[0]?.bytes).match(/Page \d of the sample/g)).toEqual(
      [1, 2, 3].map((n) => `Page ${n} of the sample`),
    )
  })

  it('is that of the chosen pages in the order named', async () => {
    const { files } = await convert('txt', { pages: '3,1-2', layout: 'page' })
    expect(String(files[0]?.bytes).match(/Page \d/g)).toEqual(['Page 3', 'Page 1', 'Page 2'])
  })
})
