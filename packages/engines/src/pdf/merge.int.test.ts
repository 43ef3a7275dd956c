import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import type { BenchSource } from '@lathe/testing'
import { usePlanBench } from '@lathe/testing/vitest'
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { samplePictures } from '../testing/sample-pictures.ts'

const bench = usePlanBench()
let sample: BenchSource
beforeAll(async () => {
  sample = { format: 'pdf', content: await samplePdf() }
})

async function fixture(name: FixtureName): Promise<BenchSource> {
  return { format: name.slice(name.lastIndexOf('.') + 1), content: await readFile(fixturePath(name)) }
}

const merge = (sources: readonly BenchSource[], options: Record<string, unknown> = {}) =>
  bench.run({ operation: 'merge', sources, to: 'pdf', options })

async function merged(sources: readonly BenchSource[], options: Record<string, unknown> = {}) {
  const end = await merge(sources, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const widths = document.getPages().map((page) => Math.round(page.getWidth()))
  return { bytes, document, widths, warnings: end.warnings }
}

async function textOf(bytes: Uint8Array) {
  const io = { files: { 'x.pdf': bytes }, outputs: ['x.txt'] }
  return String((await bench.tool('pdftotext', ['x.pdf', 'x.txt'], io)).outputs['x.txt'])
}

describe('a merged PDF', () => {
  it('holds pages of PDFs and images in the order given [S-proc-11, D-op-26, D-op-27]', async () => {
    const names = ['photo-40k.jpg', 'two-pages.pdf', 'photo.webp', 'alpha.png', 'pages.tiff'] as const
    const { widths } = await merged(await Promise.all(names.map(fixture)))
    expect(widths).toEqual([640, 595, 842, 640, 200, 120, 120, 120, 120])
  })

  it('accepts every image that converts to PDF, with any decoder (C4)', async () => {
    const pictures = Object.entries(await samplePictures(bench)).map(([format, content]) => ({ format, content }))
    const { widths } = await merged([...pictures, sample])
    expect(widths).toHaveLength(pictures.length + 3)
    expect(widths.filter((width) => width === 160).length).toBeGreaterThan(15)
  })

  it('contains the same images next to a PDF as in a GIF', async () => {
    const { bmp = '', heic = '', qoi = '' } = await samplePictures(bench)
    const sources = [
      { format: 'bmp', content: bmp },
      { format: 'heic', content: heic },
      { format: 'qoi', content: qoi },
    ]
    for (const all of [sources, [...sources, sample]]) {
      const end = await bench.run({ operation: 'merge', sources: all, to: 'gif' })
      if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
      expect(await sharp(end.files[0]?.bytes).metadata()).toMatchObject({ width: 160, pages: all.length === 3 ? 3 : 6 })
    }
  })

  it('holds only the pages named, file by file', async () => {
    const { bytes, widths } = await merged([sample, await fixture('alpha.png'), sample], { pages: '1:2-;3:1' })
    expect(widths).toEqual([400, 300, 200, 300])
    expect((await textOf(bytes)).match(/Page \d/g)).toEqual(['Page 2', 'Page 3', 'Page 1'])
  })

  it('lays images on pages of one size, and leaves other pages as they are', async () => {
    const { widths } = await merged([await fixture('alpha.png'), sample], { pdf_page_size: '1240.2x1753.95' })
    expect(widths).toEqual([595, 300, 400, 300])
  })

  it.each([
    ['landscape', [842, 842]],
    ['auto', [842, 595]],
    ['portrait', [595, 595]],
  ])('lays images on pages that lie %s', async (pdf_orientation, expected) => {
    const options = { pdf_page_size: '1240.2x1753.95', pdf_orientation }
    expect((await merged([await fixture('alpha.png'), await fixture('rotated-exif.jpg')], options)).widths).toEqual(
      expected,
    )
  })

  it('leaves a margin around images, and refuses one that leaves nothing', async () => {
    const picture = await fixture('alpha.png')
    expect((await merged([picture, picture], { pdf_margin: 20 })).widths).toEqual([240, 240])
    const options = { pdf_page_size: '620.1x874.05', pdf_margin: 150 }
    expect(await merge([picture, picture], options)).toMatchObject({
      code: 'unsupported',
      text: expect.stringContaining('margin'),
    })
  })

  it('keeps the fields of forms and the targets of links', async () => {
    const { document } = await merged([sample, { format: 'pdf', content: await formPdf() }])
    expect(document.getForm().getTextField('name').getText()).toBe('Ada')
    const [, , , page] = document.getPages()
    expect(String(page?.node.Annots()?.lookup(0, PDFDict).get(PDFName.of('Subtype')))).toBe('/Widget')
  })

  it('leaves scripts and launch actions behind, and says so', async () => {
    const { document, warnings, bytes } = await merged([{ format: 'pdf', content: await activePdf() }, sample])
    expect(document.catalog.has(PDFName.of('OpenAction'))).toBe(false)
    expect(document.getPage(0).node.has(PDFName.of('AA'))).toBe(false)
    const annotation = document.getPage(0).node.Annots()?.lookup(0, PDFDict)
    expect(annotation).toBeDefined()
    expect(annotation?.has(PDFName.of('A'))).toBe(false)
    expect(bytes.includes('alert')).toBe(false)
    expect(warnings).toEqual([expect.stringContaining('Scripts')])
  })

  it('opens protected documents with the password given', async () => {
    const io = { files: { 'x.pdf': sample.content }, outputs: ['y.pdf'] }
    const locked = (await bench.tool('qpdf', ['--encrypt', 'u', 'o', '256', '--', 'x.pdf', 'y.pdf'], io)).outputs[
      'y.pdf'
    ]
    const source = { format: 'pdf', content: locked ?? '' }
    expect(await merge([source, sample])).toMatchObject({ code: 'input_encrypted' })
    expect((await merged([source, sample], { password: 'u' })).widths).toHaveLength(6)
  })
})

describe('a merged animation', () => {
  async function animated(sources: readonly BenchSource[], options: Record<string, unknown> = {}) {
    const end = await bench.run({ operation: 'merge', sources, to: 'gif', options })
    if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
    const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
    const { width, pageHeight, pages = 1, delay, format } = await sharp(bytes, { animated: true }).metadata()
    return { bytes, frames: { format, width, height: pageHeight, pages, delay: delay?.[0] }, warnings: end.warnings }
  }

  it('shows each page of documents as a frame [D-op-61]', async () => {
    const { frames } = await animated([sample, sample], { dpi: 72, delay: 400, pages: '2:1' })
    const { width, height } = { width: 300, height: frames.height }
    expect(frames).toEqual({ format: 'gif', width, height, pages: 4, delay: 400 })
  })

  it('mixes pages with images, all as large as the first [D-op-61]', async () => {
    const picture = await fixture('alpha.png')
    const { frames } = await animated([picture, sample, await fixture('photo-40k.jpg')], { background: 'black' })
    expect(frames).toMatchObject({ format: 'gif', width: 200, pages: 5 })
  })

  it('is left to the engine of images where there is no document', async () => {
    const picture = await fixture('alpha.png')
    expect((await animated([picture, picture])).frames).toMatchObject({ pages: 2, width: 200 })
  })

  it('opens what is protected with the password given', async () => {
    const io = { files: { 'x.pdf': sample.content }, outputs: ['y.pdf'] }
    const { outputs } = await bench.tool('qpdf', ['--encrypt', 'u', 'o', '256', '--', 'x.pdf', 'y.pdf'], io)
    const locked = { format: 'pdf', content: outputs['y.pdf'] ?? '' }
    const end = await bench.run({ operation: 'merge', sources: [locked, sample], to: 'gif', options: {} })
    expect(end).toMatchObject({ code: 'input_encrypted' })
    expect((await animated([locked, sample], { password: 'u', dpi: 36 })).frames.pages).toBe(6)
  })
})

describe('a merge is refused', () => {
  it.each([
    ['nothing but a header', '%PDF-1.7\n'],
    ['text', 'not a pdf at all'],
    ['a cut document', undefined],
  ])('as damaged for %s', async (_, text) => {
    const content = text ?? Buffer.from(sample.content).subarray(0, sample.content.length / 2)
    expect(await merge([{ format: 'pdf', content }, sample])).toMatchObject({ code: 'input_damaged' })
  })

  it('for pages and files that are not there', async () => {
    expect(await merge([sample, sample], { pages: '2:4' })).toMatchObject({
      code: 'unsupported',
      text: expect.stringMatching(/^File 2: .* has 3/),
    })
    expect(await merge([sample, sample], { pages: '3:1' })).toMatchObject({
      text: expect.stringContaining('there are 2'),
    })
  })

  it('for a single file', async () => {
    expect(await merge([sample])).toMatchObject({ code: 'unsupported' })
  })
})

async function formPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const field = document.getForm().createTextField('name')
  field.setText('Ada')
  field.addToPage(document.addPage([200, 200]), { x: 10, y: 10 })
  return document.save()
}

async function activePdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage([100, 100])
  const script = { S: 'JavaScript', JS: 'app.alert(1)' }
  document.catalog.set(PDFName.of('OpenAction'), document.context.obj(script))
  page.node.set(PDFName.of('AA'), document.context.obj({ O: script }))
  const link = document.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A: { S: 'Launch', F: 'x' } })
  page.node.set(PDFName.of('Annots'), document.context.obj([document.context.register(link)]))
  return document.save()
}
