import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import { detectFormat } from '@lathe/formats'
import { type BenchEnd, openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { label, letterPages, sheets, slides, totals } from '../../../../fixtures/office/words.ts'
import { abilities } from '../documents/abilities.ts'
import { hasSample, sampleOf } from '../testing/sample-documents.ts'

let bench: PlanBench

beforeAll(async () => {
  bench = await openPlanBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

type Options = Readonly<Record<string, unknown>>
const fixture = (name: FixtureName) => readFile(fixturePath(name))

async function convert(format: string, content: string | Uint8Array, to: string, options: Options = {}) {
  return bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
}

async function converted(format: string, content: string | Uint8Array, to: string, options: Options = {}) {
  const end = await convert(format, content, to, options)
  if (isFailure(end)) throw new Error(`${format} to ${to}: ${end.code} ${end.text} ${end.detail}`)
  return end
}

function first({ files }: BenchEnd): Buffer {
  const [file] = files
  if (!file) throw new Error('nothing came out')
  return file.bytes
}

async function factsOf(pdf: Buffer, ...args: readonly string[]): Promise<string> {
  return (await bench.tool('pdfinfo', [...args, 'a.pdf'], { files: { 'a.pdf': pdf } })).stdout
}

async function pageCount(pdf: Buffer): Promise<number> {
  return Number(/^Pages: +(\d+)$/m.exec(await factsOf(pdf))?.[1])
}

async function textOf(pdf: Buffer, ...args: readonly string[]): Promise<string> {
  const { stdout } = await bench.tool('pdftotext', [...args, 'a.pdf', '-'], { files: { 'a.pdf': pdf } })
  return stdout.replaceAll(/\s+/g, ' ')
}

describe('a document to PDF', () => {
  it.each([
    ['docx', 'letter.docx'],
    ['odt', 'letter.odt'],
  ] as const)('%s keeps its pages and its words in every script', async (format, name) => {
    const pdf = first(await converted(format, await fixture(name), 'pdf'))
    expect(await pageCount(pdf)).toBe(3)
    const text = await textOf(pdf)
    for (const word of ['quick brown fox', 'Grüße aus Köln', 'Ελληνικά', 'Привет', '世界']) expect(text).toContain(word)
    const fonts = (await bench.tool('pdffonts', ['a.pdf'], { files: { 'a.pdf': pdf } })).stdout
    expect(
      fonts
        .split('\n')
        .slice(2, -1)
        .every((line) => / yes +yes +yes /.test(line)),
    ).toBe(true)
  })

  it('keeps sheets, slides and drawings', async () => {
    const table = first(await converted('xlsx', await fixture('table.xlsx'), 'pdf'))
    expect(await pageCount(table)).toBe(2)
    expect(await textOf(table)).toContain(String(totals[0]))
    const show = first(await converted('odp', await fixture('slides.odp'), 'pdf'))
    expect(await pageCount(show)).toBe(3)
    expect(await textOf(show)).toContain(slides[1])
    const drawing = first(await converted('odg', await fixture('drawing.odg'), 'pdf'))
    expect(await factsOf(drawing)).toMatch(/Page size: +283\.\d+ x 283\.\d+ pts/)
    expect(await textOf(drawing)).toContain(label)
  })

  it('takes the pages asked for, and says so where there are none', async () => {
    const letter = await fixture('letter.odt')
    const pdf = first(await converted('odt', letter, 'pdf', { pages: '1,3-' }))
    expect(await pageCount(pdf)).toBe(2)
    expect(await textOf(pdf)).not.toContain('Second page')
    expect(await convert('odt', letter, 'pdf', { pages: '4' })).toMatchObject({ code: 'unsupported' })
  })

  it.each([
    ['1b', '1'],
    ['2b', '2'],
    ['3b', '3'],
  ])('says that it is PDF/A-%s', async (level, part) => {
    const pdf = first(await converted('docx', await fixture('letter.docx'), 'pdf', { pdf_a: level }))
    expect(pdf.toString('latin1')).toMatch(new RegExp(`<pdfaid:part>${part}</pdfaid:part>\\s*<pdfaid:conformance>B<`))
  })

  it.each(['1.5', '1.6', '1.7', '2.0'])('writes version %s', async (version) => {
    const pdf = first(await converted('docx', await fixture('letter.docx'), 'pdf', { pdf_version: version }))
    expect(pdf.subarray(0, 8).toString()).toBe(`%PDF-${version}`)
  })

  it('makes images smaller by quality and by resolution', async () => {
    const html = await pageWithPicture()
    const size = async (options: Options) => first(await converted('html', html, 'pdf', options)).length
    const usual = await size({})
    expect(await size({ image_quality: 10 })).toBeLessThan(usual * 0.8)
    expect(await size({ image_dpi: '75' })).toBeLessThan(usual * 0.8)
    expect(await size({ lossless_images: true })).toBeGreaterThan(usual * 1.2)
  })

  it('has an outline of its headings by default', async () => {
    const html = '<h1>One</h1><p>a</p><h1>Two</h1><p>b</p>'
    expect(first(await converted('html', html, 'pdf')).toString('latin1')).toContain('/Outlines')
    const without = first(await converted('html', html, 'pdf', { bookmarks: false }))
    expect(without.toString('latin1')).not.toContain('/Outlines')
  })

  it('opens only with its password if it has one', async () => {
    const pdf = first(await converted('docx', await fixture('letter.docx'), 'pdf', { output_password: 'open it' }))
    const files = { 'a.pdf': pdf }
    expect((await bench.tool('pdfinfo', ['a.pdf'], { files })).end).toMatchObject({ code: 1 })
    expect((await bench.tool('pdfinfo', ['-upw', 'open it', 'a.pdf'], { files })).end).toMatchObject({ code: 0 })
  })

  it('has the requested orientation', async () => {
    const across = first(await converted('odt', await fixture('letter.odt'), 'pdf', { orientation: 'landscape' }))
    expect(await factsOf(across)).toMatch(/Page size: +841\.\d+ x 595\.\d+ pts/)
    const sheet = first(await converted('xlsx', await fixture('table.xlsx'), 'pdf', { orientation: 'landscape' }))
    expect(await factsOf(sheet)).toMatch(/Page size: +(841|792)[\d.]* x (595|612)[\d.]* pts/)
  })
})

async function pageWithPicture(): Promise<string> {
  const noise = { width: 900, height: 600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } } as const
  const jpg = await sharp({ create: { ...noise, background: 'white' } })
    .jpeg({ quality: 95 })
    .toBuffer()
  return `<p><img width="300" height="200" src="data:image/jpeg;base64,${jpg.toString('base64')}"></p>`
}

describe('a web page', () => {
  it.each(['00:00:00', 'some day', '2020-01-01T10:00:00'])('may say it was created at %s', async (date) => {
    const dates = `<meta name="created" content="${date}"/><meta content="${date}" NAME=changed>`
    const page = `<html><head><title>Dated</title>${dates}</head><body><p>Still read</p></body></html>`
    for (const to of ['pdf', 'odt']) expect(first(await converted('html', page, to)).length).toBeGreaterThan(1000)
    expect(await textOf(first(await converted('html', page, 'pdf')))).toContain('Still read')
  })
})

const names = ['office', 'style', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')
/** A workbook with a header that contains the file name. */
const namedSheet = `<office:document ${names} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles><style:page-layout style:name="a"><style:page-layout-properties/><style:header-style/></style:page-layout>
<style:style style:name="b" style:family="table" style:master-page-name="Default"/></office:automatic-styles>
<office:master-styles><style:master-page style:name="Default" style:page-layout-name="a"><style:header>
<text:p>Printed from <text:file-name text:display="name-and-extension">old.ods</text:file-name></text:p>
</style:header></style:master-page></office:master-styles>
<office:body><office:spreadsheet><table:table table:name="A" table:style-name="b"><table:table-row>
<table:table-cell office:value-type="string"><text:p>cell</text:p></table:table-cell>
</table:table-row></table:table></office:spreadsheet></office:body></office:document>`

describe('a spreadsheet', () => {
  it('gives the sheets asked for', async () => {
    const table = await fixture('table.ods')
    const pdf = first(await converted('ods', table, 'pdf', { sheets: '2' }))
    expect(await pageCount(pdf)).toBe(1)
    const text = await textOf(pdf)
    expect(text).toContain('Crates')
    expect(text).not.toContain('Apples')
    expect(await convert('ods', table, 'pdf', { sheets: '3' })).toMatchObject({ code: 'unsupported' })
  })

  it('that prints the name of its file does not print an internal one', async () => {
    const xlsx = first(await converted('fods', namedSheet, 'xlsx'))
    for (const options of [{}, { orientation: 'landscape' }]) {
      const text = await textOf(first(await converted('xlsx', xlsx, 'pdf', options)))
      expect(text).toContain('Printed from document.xlsx')
    }
  })

  it('fits its columns side by side on a page where it is asked to', async () => {
    const wide = Array.from({ length: 40 }, (_, n) => `column ${n}`).join(',')
    expect(await pageCount(first(await converted('csv', wide, 'pdf')))).toBeGreaterThan(1)
    expect(await pageCount(first(await converted('csv', wide, 'pdf', { fit_to_width: true })))).toBe(1)
  })

  it('gives one sheet as CSV, by number, separator and encoding', async () => {
    const table = await fixture('table.xlsx')
    const [sales, stock] = sheets
    const rows = (sheet: typeof sales | typeof stock, by: string) => sheet.rows.map((cells) => cells.join(by))
    expect(first(await converted('xlsx', table, 'csv')).toString()).toContain(rows(sales, ',').join('\n'))
    const second = first(await converted('xlsx', table, 'csv', { sheet: 2, separator: 'semicolon', quote_text: true }))
    expect(second.toString()).toContain('"Boxes";400;3')
    expect(await convert('xlsx', table, 'csv', { sheet: 3 })).toMatchObject({ code: 'unsupported' })
    const wide = first(await converted('csv', 'ä;1\nö;2\n', 'ods'))
    const narrow = first(await converted('ods', wide, 'csv', { encoding: 'iso-8859-1', separator: 'tab' }))
    expect(narrow.toString('latin1')).toBe('ä\t1\nö\t2\n')
  })

  it.each([
    ['utf-8', Buffer.from('Größe,3\n')],
    ['windows-1252', Buffer.from('Größe,3\n', 'latin1')],
    ['utf-16', Buffer.from('\ufeffGröße,3\n', 'utf16le')],
  ])('reads a CSV file in %s', async (encoding, content) => {
    const back = await converted('ods', first(await converted('csv', content, 'ods', { encoding })), 'csv')
    expect(first(back).toString()).toBe('Größe,3\n')
  })

  it.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
    ['pipe', '|'],
  ])('detects that cells are separated by %s', async (_, by) => {
    const content = `name${by}count\nApples${by}12\n`
    const back = await converted('ods', first(await converted('csv', content, 'ods')), 'csv')
    expect(first(back).toString()).toBe('name,count\nApples,12\n')
  })
})

describe('a password', () => {
  it.each(['docx', 'doc', 'odt'] as const)('protects %s, and opens it again', async (to) => {
    const letter = await fixture('letter.odt')
    const source = to === 'odt' ? first(await converted('odt', letter, 'docx')) : letter
    const from = to === 'odt' ? 'docx' : 'odt'
    const locked = first(await converted(from, source, to, { output_password: 'sesame' }))
    expect(locked.includes('First page')).toBe(false)
    expect(await convert(to, locked, 'pdf')).toMatchObject({ code: 'input_encrypted' })
    const wrong = await convert(to, locked, 'pdf', { password: 'simsim' })
    expect(wrong).toMatchObject({ code: 'input_encrypted', text: expect.stringContaining('is wrong') })
    const pdf = first(await converted(to, locked, 'pdf', { password: 'sesame' }))
    expect(await textOf(pdf)).toContain('First page of the letter')
  })
})

describe('images of pages', () => {
  it('are one a page, as large as asked', async () => {
    const { files } = await converted('docx', await fixture('letter.docx'), 'png', { dpi: 72 })
    expect(files).toHaveLength(3)
    const [one] = await Promise.all(files.map(({ bytes }) => sharp(bytes).metadata()))
    expect(one).toMatchObject({ format: 'png', width: 596, height: 842 })
  })

  it('are of the pages asked for', async () => {
    const { files } = await converted('odp', await fixture('slides.odp'), 'jpg', {
      pages: '2',
      width: 200,
      quality: 50,
    })
    expect(files).toHaveLength(1)
    expect(await sharp(files[0]?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 150 })
  })
})

describe('XML and JSON', () => {
  it.each([
    [
      'xml',
      '<?xml version="1.0"?>\n<office:document xmlns:office="urn:x">\n  <p>Grüße &amp; more</p>\n</office:document>',
    ],
    ['json', '{\n  "b": [1, "Grüße"],\n  "a": null\n}'],
  ])('%s is shown as it is written', async (format, source) => {
    const text = await textOf(first(await converted(format, Buffer.from(source), 'pdf')))
    expect(text.split(/\s+/).filter(Boolean)).toEqual(source.split(/\s+/))
  })

  it('reach no file or host that they name', async () => {
    const source = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    expect(await textOf(first(await converted('xml', Buffer.from(source), 'pdf')))).not.toContain('root:')
  })
})

describe('every pair', () => {
  const plain = abilities.filter(({ to }) => !['png', 'jpg', 'tiff'].includes(to))
  const words: Readonly<Record<string, string>> = {
    writer: letterPages[0],
    calc: 'Apples',
    impress: slides[0],
    draw: label,
  }

  it.each([...new Set(plain.map(({ from }) => from))].filter(hasSample))(
    '%s is converted to every output format',
    async (from) => {
      const { content, program } = await sampleOf(from, async (format, bytes, to) =>
        first(await converted(format, bytes, to)),
      )
      for (const { to } of plain.filter((ability) => ability.from === from)) {
        const bytes = first(await converted(from, content, to))
        const detected = detectFormat(bytes)
        if (!['csv', 'ppt'].includes(to)) expect(detected?.ext, `${from} to ${to}`).toBe(to)
        if (to === 'pdf') expect(await textOf(bytes), `${from} to ${to}`).toContain(words[program]?.slice(0, 20))
        if (to === 'txt' || to === 'csv') expect(bytes.toString()).toContain(words[program]?.slice(0, 20))
      }
    },
  )
})

describe('a document by the name of a sibling', () => {
  const rtf = '{\\rtf1\\ansi A letter in another format\\par}'

  it('is read as what it is where its program can', async () => {
    expect(await textOf(first(await converted('doc', rtf, 'pdf')))).toContain('A letter in another format')
    const workbook = await fixture('table.ods')
    expect(await textOf(first(await converted('xls', workbook, 'pdf')))).toContain('Apples')
  })

  it('is not read as plain text, nor by another program', async () => {
    expect(await convert('doc', 'Only words, and no document.', 'pdf')).toMatchObject({ code: 'input_damaged' })
    expect(await convert('xls', rtf, 'pdf')).toMatchObject({ code: 'input_damaged' })
    expect(await convert('ppt', await fixture('letter.odt'), 'pdf')).toMatchObject({ code: 'input_damaged' })
  })

  it('is refused if it is a bomb', async () => {
    const bomb = zipOf([{ name: 'word/document.xml', content: Buffer.alloc(200 * 1024 * 1024) }])
    expect(await convert('doc', bomb, 'pdf')).toMatchObject({ code: 'limit_exceeded' })
  })
})

describe('what cannot be read', () => {
  it.each(['docx', 'odt', 'xlsx', 'ods', 'odp', 'doc', 'xls', 'ppt'])('%s of noise is damaged', async (format) => {
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919) % 251))
    expect(await convert(format, noise, 'pdf')).toMatchObject({ code: 'input_damaged' })
  })

  it('is a document that was cut', async () => {
    const letter = await fixture('letter.docx')
    expect(await convert('docx', letter.subarray(0, letter.length / 2), 'pdf')).toMatchObject({ code: 'input_damaged' })
  })

  it('is reported without text of the engine, and the next one is converted', async () => {
    const end = await convert('odt', 'no zip at all', 'pdf')
    expect(isFailure(end) && end.text).not.toMatch(/uno|exception|\/job/i)
    expect(await pageCount(first(await converted('odt', await fixture('letter.odt'), 'pdf')))).toBe(3)
  })
})
