import { randomBytes } from 'node:crypto'
import { isFailure } from '@lathe/domain'
import type { ProcessingOperation } from '@lathe/operations'
import { usePlanBench } from '@lathe/testing/vitest'
import { PDFDocument, PDFName, type PDFRef, PDFString } from 'pdf-lib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { damagedPdfs } from '../testing/damaged-pdf.ts'
import { samplePdf, scannedPdf } from '../testing/sample-pdf.ts'
import { rawPdf } from './hostile-pdf.ts'

sharp.cache(false)

const bench = usePlanBench()
let sample: Uint8Array
beforeAll(async () => {
  sample = await samplePdf()
})

type Options = Record<string, unknown>
interface Source {
  readonly format: string
  readonly content: Uint8Array
}

async function make(operation: ProcessingOperation, options: Options = {}, source?: Source, to = 'pdf') {
  const end = await run(operation, options, source, to)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return end
}

const run = (
  operation: ProcessingOperation,
  options: Options = {},
  source: Source = { format: 'pdf', content: sample },
  to = 'pdf',
) => bench.run({ operation, sources: [source], to, options })

const load = (bytes: Uint8Array) => PDFDocument.load(bytes, { updateMetadata: false })
const say = async (program: string, args: string[], bytes: Uint8Array) =>
  (await bench.tool(program, args, { files: { 'x.pdf': bytes } })).stdout
const pagesOf = async (bytes: Uint8Array) =>
  [...(await say('pdftotext', ['x.pdf', '-'], bytes)).matchAll(/Page (\d)/g)].map(([, page]) => Number(page))

async function only(operation: ProcessingOperation, options: Options = {}, source?: Source, to?: string) {
  const { files } = await make(operation, options, source, to)
  expect(files).toHaveLength(1)
  return files[0]?.bytes ?? Buffer.alloc(0)
}

describe('rotate', () => {
  const anglesOf = async (bytes: Uint8Array) => (await load(bytes)).getPages().map((page) => page.getRotation().angle)

  it('turns all pages, or those named', async () => {
    expect(await anglesOf(await only('rotate'))).toEqual([90, 90, 90])
    expect(await anglesOf(await only('rotate', { angle: '270', pages: '2-' }))).toEqual([0, 270, 270])
  })

  it('refuses pages that are not there', async () => {
    expect(await run('rotate', { pages: '4' })).toMatchObject({ code: 'unsupported' })
  })
})

describe('reorder', () => {
  it('puts named pages first, as often as they are named, and the others after them', async () => {
    expect(await pagesOf(await only('reorder', { order: '3' }))).toEqual([3, 1, 2])
    expect(await pagesOf(await only('reorder', { order: '3-1' }))).toEqual([3, 2, 1])
    expect(await pagesOf(await only('reorder', { order: '2,2,1' }))).toEqual([2, 2, 1, 3])
  })

  it('says which option is at fault', async () => {
    const end = await run('reorder', { order: '9' })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('order') })
  })
})

describe('split', () => {
  const parts = async (options: Options, content = sample) => {
    const { files } = await make('split', options, { format: 'pdf', content })
    return Promise.all(files.map(({ bytes }) => pagesOf(bytes)))
  }

  it('makes a file of every page, or of a number of pages', async () => {
    expect(await parts({})).toEqual([[1], [2], [3]])
    expect(await parts({ pages_per_file: 2 })).toEqual([[1, 2], [3]])
    expect(await parts({ pages_per_file: 10 })).toEqual([[1, 2, 3]])
  })

  it('makes a file of every range, and leaves out the rest', async () => {
    expect(await parts({ by: 'ranges', ranges: '2-3,1' })).toEqual([[2, 3], [1]])
    expect(await run('split', { by: 'ranges' })).toMatchObject({ text: expect.stringContaining('ranges') })
  })

  it('begins a file at every bookmark of the highest level', async () => {
    expect(await parts({ by: 'bookmarks' }, await withBookmarks([1, 3]))).toEqual([[1, 2], [3]])
    expect(await parts({ by: 'bookmarks' })).toEqual([[1, 2, 3]])
  })

  it('makes files as large as allowed, and says if a page alone is larger', async () => {
    const noisy = await noisyPdf(6, 60)
    const { files, warnings } = await make('split', { by: 'size', max_size: 40_000 }, { format: 'pdf', content: noisy })
    expect(warnings).toEqual([])
    expect(files.length).toBeGreaterThan(1)
    const counts = await Promise.all(files.map(async ({ bytes }) => (await load(bytes)).getPageCount()))
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(6)
    // Each file has as many pages as fit.
    expect(Math.max(...counts)).toBeGreaterThan(1)
    for (const { bytes } of files) expect(bytes.length).toBeLessThanOrEqual(40_000)
    const small = await make('split', { by: 'size', max_size: 10_000 }, { format: 'pdf', content: noisy })
    expect(small.files).toHaveLength(6)
    expect(small.warnings).toEqual([expect.stringContaining('larger than max_size')])
  })

  it('removes active content from every part', async () => {
    const acting = await PDFDocument.load(sample)
    acting.addJavaScript('go', 'app.alert(1)')
    const { files, warnings } = await make('split', {}, { format: 'pdf', content: await acting.save() })
    expect(warnings).toEqual([expect.stringContaining('Scripts')])
    for (const { bytes } of files) expect(Buffer.from(bytes).toString('latin1')).not.toContain('JavaScript')
  })
})

describe('encrypt and decrypt', () => {
  it('encrypt a PDF and decrypt it again', async () => {
    const locked = await only('encrypt', { output_password: 'grüße', owner_password: 'mine', allow_printing: 'none' })
    const source = { format: 'pdf', content: locked }
    const asked = await bench.tool('pdfinfo', ['-upw', 'grüße', 'x.pdf'], { files: { 'x.pdf': locked } })
    expect(asked.stdout).toMatch(/Encrypted: +yes \(print:no .*algorithm:AES-256/)
    expect(await run('decrypt', {}, source)).toMatchObject({ code: 'input_encrypted' })
    expect(await run('decrypt', { password: 'wrong' }, source)).toMatchObject({ code: 'input_encrypted' })
    const open = await only('decrypt', { password: 'grüße' }, source)
    expect(await say('pdfinfo', ['x.pdf'], open)).toMatch(/Encrypted: +no/)
    expect(await pagesOf(open)).toEqual([1, 2, 3])
  })
})

describe('flatten', () => {
  it('leaves no field to fill in, and what was filled in as text', async () => {
    const form = await PDFDocument.create()
    const field = form.getForm().createTextField('name')
    field.setText('Ada Lovelace')
    field.addToPage(form.addPage([300, 200]), { x: 20, y: 100, width: 200, height: 30 })
    const flat = await only('flatten', {}, { format: 'pdf', content: await form.save() })
    expect(await say('pdftotext', ['x.pdf', '-'], flat)).toContain('Ada Lovelace')
    expect((await load(flat)).getPages()[0]?.node.Annots()?.size() ?? 0).toBe(0)
  })
})

describe('ocr', () => {
  it('reads scanned pages, as PDF and as text', async () => {
    const source = { format: 'pdf', content: await scannedPdf() }
    expect(await say('pdftotext', ['x.pdf', '-'], await only('ocr', {}, source))).toContain('LATHE READS')
    expect((await only('ocr', {}, source, 'txt')).toString()).toContain('LATHE READS')
  }, 120_000)

  it('reads an image, also one with transparency', async () => {
    const words = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="200"><text x="40" y="120" font-family="DejaVu Sans" font-size="72">LATHE READS</text></svg>`
    const clear = await sharp(Buffer.from(words)).png().toBuffer()
    const onWhite = await sharp(clear).flatten({ background: 'white' }).jpeg().toBuffer()
    expect((await only('ocr', {}, { format: 'jpg', content: onWhite }, 'txt')).toString()).toContain('LATHE READS')
    const pdf = await only('ocr', { deskew: true }, { format: 'png', content: clear })
    expect(await say('pdftotext', ['x.pdf', '-'], pdf)).toContain('LATHE READS')
  }, 120_000)
})

describe('hOCR', () => {
  const placed = /<span class='ocrx_word'[^>]*title='bbox (\d+) (\d+) (\d+) (\d+); x_wconf \d+'[^>]*>([^<]*)</g

  const wordsIn = (hocr: Buffer) =>
    [...hocr.toString().matchAll(placed)].map(([, left, top, right, bottom, text]) => ({
      box: [left, top, right, bottom].map(Number),
      text: text?.replaceAll(/<[^>]+>/g, ''),
    }))

  it('has the words of every page in order, with their places', async () => {
    const scan = await scannedPdf()
    const twice = await PDFDocument.create()
    const from = await PDFDocument.load(scan)
    for (const page of await twice.copyPages(from, [0, 0])) twice.addPage(page)
    const hocr = await only('ocr', {}, { format: 'pdf', content: await twice.save() }, 'hocr')
    expect([...hocr.toString().matchAll(/class='ocr_page'/g)]).toHaveLength(2)
    expect(wordsIn(hocr).map(({ text }) => text)).toEqual(['LATHE', 'READS', 'THIS', 'LATHE', 'READS', 'THIS'])
  }, 120_000)

  it.each([72, 200])(
    'of an image counts in its own pixels, also at %i dpi',
    async (density) => {
      const words = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="200"><rect width="100%" height="100%" fill="white"/><text x="40" y="120" font-family="DejaVu Sans" font-size="72">LATHE READS</text></svg>`
      const content = await sharp(Buffer.from(words)).withMetadata({ density }).jpeg().toBuffer()
      const hocr = await only('ocr', {}, { format: 'jpg', content }, 'hocr')
      expect(hocr.toString()).toContain('bbox 0 0 900 200')
      const [first] = wordsIn(hocr)
      expect(first?.text).toBe('LATHE')
      expect(first?.box[0]).toBeGreaterThan(35)
      expect(first?.box[0]).toBeLessThan(60)
    },
    120_000,
  )

  it('has no words where there are none', async () => {
    const white = { width: 300, height: 200, channels: 3, background: 'white' } as const
    const content = await sharp({ create: white }).png().toBuffer()
    expect(wordsIn(await only('ocr', {}, { format: 'png', content }, 'hocr'))).toEqual([])
  }, 60_000)
})

describe('a PDF that is none, or damaged', () => {
  const operations = ['rotate', 'split', 'flatten', 'decrypt'] as const

  it.each(operations)('is refused by %s', async (operation) => {
    const content = Buffer.from(`%PDF-1.7\n${'x'.repeat(5000)}`)
    expect(await run(operation, {}, { format: 'pdf', content })).toMatchObject({ code: 'input_damaged' })
  })

  it.each(operations)('is repaired for %s, unless strict', async (operation) => {
    const [content = sample] = Object.values(damagedPdfs)
    const { warnings } = await make(operation, {}, { format: 'pdf', content })
    expect(warnings).toEqual([expect.stringContaining('damaged')])
    expect(await run(operation, { strict: true }, { format: 'pdf', content })).toMatchObject({ code: 'input_damaged' })
  })

  it('ends for bookmarks that lead to themselves', async () => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>',
      '<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>',
      '<< /Title (again) /Parent 4 0 R /Next 5 0 R /First 5 0 R /Last 5 0 R /Dest [3 0 R /Fit] >>',
    ]
    const end = await run('split', { by: 'bookmarks' }, { format: 'pdf', content: rawPdf(objects) })
    expect(isFailure(end) ? end.code : end.files.length).toBe(1)
  }, 60_000)
})

async function withBookmarks(pages: readonly number[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(sample)
  const { context } = pdf
  const root = context.nextRef()
  const items = pages.map(() => context.nextRef())
  for (const [n, page] of pages.entries()) {
    const target = pdf.getPage(page - 1).ref
    const beside: Record<string, PDFRef> = {
      ...(items[n - 1] && { Prev: items[n - 1] as PDFRef }),
      ...(items[n + 1] && { Next: items[n + 1] as PDFRef }),
    }
    const item = { Title: PDFString.of(`Part ${n + 1}`), Parent: root, Dest: [target, 'Fit'], ...beside }
    context.assign(items[n] as PDFRef, context.obj(item))
  }
  context.assign(
    root,
    context.obj({ Type: 'Outlines', First: items[0] as PDFRef, Last: items.at(-1) as PDFRef, Count: pages.length }),
  )
  pdf.catalog.set(PDFName.of('Outlines'), root)
  return pdf.save()
}

/** A PDF of images that cannot be compressed, of side x side pixels each. */
async function noisyPdf(pages: number, side: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (let n = 0; n < pages; n += 1) {
    const raw = randomBytes(side * side * 3)
    const png = await sharp(raw, { raw: { width: side, height: side, channels: 3 } })
      .png()
      .toBuffer()
    pdf.addPage([200, 200]).drawImage(await pdf.embedPng(png), { x: 0, y: 0, width: 200, height: 200 })
  }
  return pdf.save()
}
