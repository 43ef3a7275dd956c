import { isFailure } from '@lathe/domain'
import type { ProcessingOperation } from '@lathe/operations'
import { usePlanBench } from '@lathe/testing/vitest'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { picturePdf, samplePdf, scannedPdf } from '../testing/sample-pdf.ts'
import { rawPdf, stream } from './hostile-pdf.ts'

sharp.cache(false)

const bench = usePlanBench()
let sample: Uint8Array
beforeAll(async () => {
  sample = await samplePdf()
})

type Options = Record<string, unknown>

async function make(operation: ProcessingOperation, options: Options = {}, content = sample) {
  const end = await bench.run({ operation, sources: [{ format: 'pdf', content }], to: 'pdf', options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  const [file] = end.files
  if (file === undefined || end.files.length > 1) throw new Error('expected one file')
  return { bytes: file.bytes, warnings: end.warnings }
}

const fails = (operation: ProcessingOperation, options: Options = {}, content = sample) =>
  bench.run({ operation, sources: [{ format: 'pdf', content }], to: 'pdf', options })

const load = (bytes: Uint8Array) => PDFDocument.load(bytes, { updateMetadata: false })
const sizesOf = async (bytes: Uint8Array) => (await load(bytes)).getPages().map((page) => page.getSize())
const say = async (program: string, args: string[], bytes: Uint8Array) =>
  (await bench.tool(program, args, { files: { 'x.pdf': bytes } })).stdout

async function textOf(bytes: Uint8Array) {
  return (await bench.tool('pdftotext', ['x.pdf', 'x.txt'], { files: { 'x.pdf': bytes }, outputs: ['x.txt'] })).outputs[
    'x.txt'
  ]?.toString()
}

async function draw(bytes: Uint8Array) {
  const args = ['-png', '-cropbox', '-singlefile', '-r', '72', 'x.pdf', 'x']
  const { outputs } = await bench.tool('pdftoppm', args, { files: { 'x.pdf': bytes }, outputs: ['x.png'] })
  return outputs['x.png'] ?? Buffer.alloc(0)
}

async function colourAt(picture: Buffer, left: number, top: number) {
  const one = { left, top, width: 1, height: 1 }
  return [...(await sharp(picture).extract(one).toColourspace('srgb').raw().toBuffer())]
}

const red = [255, 0, 0]
const blue = [0, 0, 255]

describe('a PDF that stays one', () => {
  it('looks the same and is sound', async () => {
    const { bytes, warnings } = await make('convert')
    expect(warnings).toEqual([])
    expect(await sizesOf(bytes)).toEqual(await sizesOf(sample))
    expect((await draw(bytes)).equals(await draw(sample))).toBe(true)
    expect(await say('qpdf', ['--check', 'x.pdf'], bytes)).toContain('No syntax or stream encoding errors')
  })

  it('keeps the pages asked for, in their order', async () => {
    const { bytes } = await make('convert', { pages: '3,2,2' })
    expect((await sizesOf(bytes)).map(({ width }) => width)).toEqual([300, 400, 400])
    expect((await textOf(bytes))?.match(/Page \d/g)).toEqual(['Page 3', 'Page 2', 'Page 2'])
  })

  it('is turned, whole or in part', async () => {
    const turned = await load((await make('convert', { rotate: '90', rotate_pages: '2-' })).bytes)
    expect(turned.getPages().map((page) => page.getRotation().angle)).toEqual([0, 90, 90])
    const picture = await draw((await make('convert', { rotate: 90 })).bytes)
    expect(await colourAt(picture, 350, 50)).toEqual(red)
  })

  it('is ordered for the web', async () => {
    const { bytes } = await make('convert', { linearize: true })
    expect(await say('pdfinfo', ['x.pdf'], bytes)).toMatch(/Optimized: +yes/)
  })

  it.each(['1.4', '2.0'])('is of version %s', async (pdf_version) => {
    const { bytes } = await make('convert', { pdf_version })
    expect(bytes.toString('latin1', 0, 8)).toBe(`%PDF-${pdf_version}`)
    expect(await textOf(bytes)).toContain('Page 3 of the sample')
  })

  it.each(['1b', '2b', '3b'])('is PDF/A-%s', async (pdf_a) => {
    const { bytes } = await make('convert', { pdf_a })
    expect(bytes.toString('latin1')).toMatch(new RegExp(`pdfaid:part='${pdf_a.charAt(0)}' pdfaid:conformance='B'`))
    expect(await say('pdffonts', ['x.pdf'], bytes)).toMatch(/yes yes \w+ +\d+ +\d+\n$/)
    expect(await colourAt(await draw(bytes), 50, 50)).toEqual(red)
  })

  it('gets a text layer under images of text', async () => {
    const scan = await scannedPdf()
    expect((await textOf(scan))?.trim()).toBe('')
    const { bytes } = await make('convert', { ocr: true, ocr_language: 'eng' }, scan)
    expect(await textOf(bytes)).toContain('LATHE READS THIS')
    expect(await sizesOf(bytes)).toEqual(await sizesOf(scan))
  }, 90_000)
})

describe('encryption', () => {
  it('requires the password to open', async () => {
    const { bytes } = await make('convert', { output_password: 'sésame ✓' })
    expect(await fails('convert', {}, bytes)).toMatchObject({ code: 'input_encrypted' })
    expect(await fails('convert', { password: 'wrong' }, bytes)).toMatchObject({
      code: 'input_encrypted',
      text: expect.stringContaining('is wrong'),
    })
    const opened = await make('convert', { password: 'sésame ✓' }, bytes)
    expect(await textOf(opened.bytes)).toContain('Page 1 of the sample')
    expect(await say('qpdf', ['--show-encryption', 'x.pdf'], opened.bytes)).toContain('not encrypted')
  })

  it('sets the permissions of readers', async () => {
    const options = { owner_password: 'mine', allow_printing: 'none', allow_changes: 'form', allow_copying: false }
    const { bytes } = await make('convert', options)
    const info = await say('pdfinfo', ['x.pdf'], bytes)
    expect(info).toMatch(/Encrypted: +yes \(print:no copy:no change:no addNotes:no algorithm:AES-256\)/)
    const { warnings } = await make('convert', {}, bytes)
    expect(warnings).toEqual([expect.stringContaining('restricted')])
  })

  it('sets no permissions without an owner password, with a warning (C2)', async () => {
    const { bytes, warnings } = await make('convert', { allow_copying: false })
    expect(warnings).toEqual(['The option allow_copying had no effect: it needs the option owner_password.'])
    expect(await say('qpdf', ['--show-encryption', 'x.pdf'], bytes)).toContain('not encrypted')
  })

  it('is refused for PDF/A', async () => {
    expect(await fails('convert', { output_password: 'x', pdf_a: '2b' })).toMatchObject({ code: 'unsupported' })
  })
})

describe('compressing', () => {
  it('reduces images, the further the higher the level', async () => {
    const big = await picturePdf()
    const sizes: number[] = []
    for (const level of ['low', 'medium', 'high', 'extreme'])
      sizes.push((await make('compress', { level }, big)).bytes.length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(sizes[1]).toBeLessThan(big.length * 0.6)
    expect(sizes[3]).toBeLessThan(big.length * 0.1)
  })

  it('keeps to a resolution, and to what the image shows', async () => {
    const big = await picturePdf()
    const { bytes } = await make('compress', { dpi: 100 }, big)
    expect(await say('pdfimages', ['-list', 'x.pdf'], bytes)).toMatch(/ 100 +100 /)
    const [before, after] = [await draw(big), await draw(bytes)]
    const [a, b] = await Promise.all([before, after].map((one) => sharp(one).resize(8, 8).raw().toBuffer()))
    const apart = a?.map((value, n) => Math.abs(value - (b?.[n] ?? 0))) ?? []
    expect(Math.max(...apart)).toBeLessThan(12)
  })

  it('keeps the text of fonts that draw with the resources of their page', async () => {
    const { bytes } = await make('compress', { level: 'medium' }, type3Pdf())
    expect(String(await textOf(bytes)).trim()).toBe('Still here')
  })

  it('returns the original if it cannot be smaller', async () => {
    const once = await make('compress', { level: 'low' })
    const twice = await make('compress', { level: 'low' }, once.bytes)
    expect(twice.bytes.equals(once.bytes)).toBe(true)
    expect(twice.warnings).toContain('original')
  })
})

describe('cropping', () => {
  it.each([0, 90, 180, 270])('keeps the area as it is shown on a page turned by %i [D-op-60]', async (turn) => {
    const turned = await samplePdf({ count: 1, turn })
    const whole = await draw(turned)
    const { bytes } = await make('crop', { x: 20, y: 40, width: 120, height: 80 }, turned)
    const part = await draw(bytes)
    expect(await sharp(part).metadata()).toMatchObject({ width: 120, height: 80 })
    const expected = await sharp(whole).extract({ left: 20, top: 40, width: 120, height: 80 }).raw().toBuffer()
    const found = await sharp(part).raw().toBuffer()
    const worst = Math.max(...found.map((value, n) => Math.abs(value - (expected[n] ?? 0))))
    expect(worst).toBeLessThan(8)
  })

  it('removes what is cropped from the file, unless it is to be hidden', async () => {
    const area = { x: 0, y: 0, width: 100, height: 100 }
    const uncrop = (bytes: Uint8Array) => say('qpdf', ['--qdf', '--pages', '.', '1', '--', 'x.pdf', '-'], bytes)
    expect(await uncrop((await make('crop', { ...area, erase: false })).bytes)).toContain('Tj')
    expect(await uncrop((await make('crop', area)).bytes)).not.toContain('Tj')
  })

  it('crops only the pages named', async () => {
    const { bytes } = await make('crop', { width: 50, height: 60, pages: '2' })
    expect(await sizesOf(bytes)).toEqual([
      { width: 300, height: 400 },
      { width: 50, height: 60 },
      { width: 300, height: 400 },
    ])
  })

  it('refuses an area outside of a page', async () => {
    expect(await fails('crop', { x: 300 })).toMatchObject({
      code: 'unsupported',
      text: expect.stringContaining('page 1'),
    })
  })
})

describe('trimming', () => {
  it('leaves the pages named and nothing of the others [D-op-30]', async () => {
    const { bytes } = await make('trim', { pages: '2' })
    expect(await sizesOf(bytes)).toEqual([{ width: 400, height: 300 }])
    expect(await textOf(bytes)).not.toContain('Page 1')
  })

  it('needs to know which, and they must be there', async () => {
    expect(await fails('trim')).toMatchObject({ code: 'unsupported', text: expect.stringContaining('pages') })
    expect(await fails('trim', { pages: '2-4' })).toMatchObject({
      code: 'unsupported',
      text: expect.stringContaining('has 3'),
    })
  })
})

describe('blue corner', () => {
  it('is where it should be, or all images above prove nothing', async () => {
    expect(await colourAt(await draw(sample), 250, 350)).toEqual(blue)
  })
})

/** A PDF whose letters are squares of a font without its own resources; only a table maps them to letters. */
function type3Pdf(): Buffer {
  const letters = [...new Set('Still here')]
  const codes = letters.map((_, n) => hex(n + 65))
  const map = codes.map((code, n) => `<${code}> <${hex(letters[n]?.charCodeAt(0) ?? 0).padStart(4, '0')}>`)
  const table = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def',
    '1 begincodespacerange <00> <ff> endcodespacerange',
    `${map.length} beginbfchar ${map.join(' ')} endbfchar endcmap end end`,
  ].join('\n')
  const text = [...'Still here'].map((letter) => codes[letters.indexOf(letter)]).join('')
  const look = '/FontBBox [0 0 600 700] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /box 6 0 R >>'
  const encoding = `<< /Type /Encoding /Differences [65 ${letters.map(() => '/box').join(' ')}] >>`
  const widths = `/FirstChar 65 /LastChar ${64 + letters.length} /Widths [${letters.map(() => 600).join(' ')}]`
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(`BT /F 18 Tf 20 120 Td <${text}> Tj ET ${' '.repeat(4000)}`),
    `<< /Type /Font /Subtype /Type3 ${look} /Encoding ${encoding} ${widths} /ToUnicode 7 0 R >>`,
    stream('600 0 0 0 600 700 d1 0 0 500 700 re f'),
    stream(table),
  ])
}

const hex = (value: number) => value.toString(16)
