import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import type { BenchSource } from '@lathe/testing'
import { usePlanBench } from '@lathe/testing/vitest'
import { PDFArray, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallPng } from '../../../../fixtures/attacks/png.ts'
import { svgOf } from '../../../../fixtures/attacks/svg.ts'
import { fixturePath } from '../../../../fixtures/fixtures.ts'

const bench = usePlanBench()
let text: Buffer
beforeAll(async () => {
  text = await readFile(fixturePath('text.svg'))
})

async function toPdf(content: string | Uint8Array, options: Readonly<Record<string, unknown>> = {}) {
  return make('convert', [{ format: 'svg', content }], options)
}

async function make(
  operation: 'convert' | 'merge',
  sources: readonly BenchSource[],
  options: Readonly<Record<string, unknown>> = {},
) {
  const end = await bench.run({ operation, sources, to: 'pdf', options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

const wordsOf = async (pdf: Buffer) =>
  (await bench.tool('pdftotext', ['in.pdf', '-'], { files: { 'in.pdf': pdf } })).stdout.trim()
const sizesOf = async (pdf: Buffer) => (await PDFDocument.load(pdf)).getPages().map((page) => page.getSize())

/** The widths of the images in a document. */
async function imageWidths(pdf: Buffer): Promise<number[]> {
  const objects = (await PDFDocument.load(pdf)).context.enumerateIndirectObjects().map(([, object]) => object)
  const images = objects.filter(
    (object) => object instanceof PDFRawStream && String(object.dict.get(PDFName.of('Subtype'))) === '/Image',
  )
  return images.map((image) => (image instanceof PDFRawStream ? Number(image.dict.get(PDFName.of('Width'))) : 0))
}

/** A page as pixels, to compare it with the rendered drawing. */
async function pageOf(pdf: Buffer, dpi: number): Promise<Buffer> {
  const args = ['-r', String(dpi), '-png', '-singlefile', 'in.pdf', 'page']
  const { outputs } = await bench.tool('pdftoppm', args, { files: { 'in.pdf': pdf }, outputs: ['page.png'] })
  return outputs['page.png'] ?? Buffer.alloc(0)
}

describe('a drawing as PDF', { timeout: 60_000 }, () => {
  it('keeps vectors and text, on a page of its size', async () => {
    const pdf = await toPdf(text)
    expect(await wordsOf(pdf)).toBe('Lathe')
    expect(await imageWidths(pdf)).toEqual([])
    expect(await sizesOf(pdf)).toEqual([{ width: 180, height: 90 }])
  })

  it('has the physical size of the drawing', async () => {
    const [size] = await sizesOf(await toPdf(svgOf('', 'width="210mm" height="297mm" viewBox="0 0 210 297"')))
    expect(size?.width).toBeCloseTo(595.28, 0)
    expect(size?.height).toBeCloseTo(841.89, 0)
  })

  it('looks like the drawing as an image', async () => {
    const end = await bench.run({
      operation: 'convert',
      sources: [{ format: 'svg', content: text }],
      to: 'png',
      options: { density: 144 },
    })
    if (isFailure(end)) throw new Error(end.code)
    const drawn = await sharp(end.files[0]?.bytes).flatten({ background: 'white' }).removeAlpha().raw().toBuffer()
    const shown = await sharp(await pageOf(await toPdf(text), 192))
      .removeAlpha()
      .raw()
      .toBuffer()
    expect(shown.length).toBe(drawn.length)
    const far = drawn.filter((value, n) => Math.abs(value - (shown[n] ?? 0)) > 64).length
    expect(far / drawn.length).toBeLessThan(0.01)
  })

  it('renders only effects to pixels, at the requested density', async () => {
    const blurred = svgOf(
      '<filter id="f" x="0" y="0" width="1" height="1"><feGaussianBlur stdDeviation="2"/></filter><rect width="64" height="64" filter="url(#f)"/>',
    )
    const [coarse = 0] = await imageWidths(await toPdf(blurred, { density: 96 }))
    const [fine = 0] = await imageWidths(await toPdf(blurred, { density: 384 }))
    expect(coarse).toBeGreaterThan(0)
    expect(fine / coarse).toBeCloseTo(4, 0)
  })

  it('is placed on a page of the requested size', async () => {
    const pdf = await toPdf(text, { pdf_page_size: '1240.2x1753.95' })
    expect((await sizesOf(pdf)).map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
      [595, 842],
    ])
    expect(await wordsOf(pdf)).toBe('Lathe')
  })

  it('contains no links', async () => {
    const pdf = await toPdf(svgOf('<a href="https://example.com/x"><rect width="64" height="64"/></a>'))
    const [page] = (await PDFDocument.load(pdf)).getPages()
    const notes = page?.node.lookupMaybe(PDFName.of('Annots'), PDFArray)
    expect(notes?.size() ?? 0).toBe(0)
    expect(pdf.toString('latin1')).not.toContain('example.com')
  })

  it('renders effects at a lower density if memory runs out, with a warning', async () => {
    const effect = '<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>'
    const rect = '<rect width="5000" height="5000" filter="url(#f)"/>'
    const content = svgOf(effect + rect, 'width="5000" height="5000"')
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'svg', content }], to: 'pdf' })
    expect(end).toMatchObject({ kind: 'done', warnings: [expect.stringContaining('96 dpi')] })
  })

  it('is a page between images in a merge', async () => {
    const png = { format: 'png', content: smallPng() }
    const pdf = await make('merge', [png, { format: 'svg', content: text }, png])
    expect(await sizesOf(pdf)).toHaveLength(3)
    expect(await wordsOf(pdf)).toBe('Lathe')
  })

  it('is refused where it is damaged', async () => {
    await expect(toPdf('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')).rejects.toThrow('input_damaged')
  })
})

describe('a drawing in centimetres', () => {
  const drawing = svgOf('<rect x="1cm" y="1cm" width="2cm" height="2cm"/>', 'width="4cm" height="4cm"')

  it.each([72, 144])('has its parts where they belong at %i dpi', async (density) => {
    const sources = [{ format: 'svg', content: drawing }]
    const end = await bench.run({ operation: 'convert', sources, to: 'png', options: { density } })
    if (isFailure(end)) throw new Error(end.code)
    const { info } = await sharp(end.files[0]?.bytes).trim().toBuffer({ resolveWithObject: true })
    const whole = (await sharp(end.files[0]?.bytes).metadata()).width
    expect(info.width / whole).toBeCloseTo(0.5, 1)
    expect(-(info.trimOffsetLeft ?? 0) / whole).toBeCloseTo(0.25, 1)
  })
})
