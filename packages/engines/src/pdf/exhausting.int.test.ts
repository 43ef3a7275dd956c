import { deflateSync } from 'node:zlib'
import { isFailure } from '@lathe/domain'
import { PDFDocument } from 'pdf-lib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPdfAttacks, type PdfAttacks } from '../testing/pdf-attacks.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { manyPages, onePage, rawPdf, samePage, stream } from './hostile-pdf.ts'

let given: PdfAttacks
beforeAll(async () => {
  given = await openPdfAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())
afterEach(() => expect(given.tripwire.hits()).toBe(0))

describe('B06: a PDF made to exhaust', () => {
  it.each([
    [9999, true],
    [10_000, true],
    [10_001, false],
  ])('with %i pages is accepted: %s', async (count, isAllowed) => {
    const end = await given.attack(manyPages(count), { options: { pages: '1', dpi: 18 } })
    if (isAllowed) return expect(end).toMatchObject({ kind: 'done' })
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining(`${count} pages`) })
  })

  it('with a hundred thousand entries for one page is refused', async () => {
    for (const to of ['png', 'pdf']) {
      const end = await given.attack(samePage(100_000), { to })
      expect(['input_damaged', 'limit_exceeded']).toContain(isFailure(end) ? end.code : 'done')
    }
  })

  it.each([
    [9999, true],
    [10_000, true],
    [10_001, false],
  ])('with a page that is %i pixels long is accepted: %s', async (side, isAllowed) => {
    const long = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${side} 10] >>`,
    ])
    const end = await given.attack(long, { options: { dpi: 72 } })
    if (isAllowed) return expect(end).toMatchObject({ kind: 'done' })
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('10000') })
  })

  it('with a page of a million points is refused', async () => {
    const content = onePage('', { page: '/MediaBox [0 0 1000000 1000000]' })
    for (const to of ['png', 'txt', 'pdf'])
      expect(await given.attack(content, { to })).toMatchObject({ code: 'limit_exceeded' })
  })

  it('with data packed over and over ends within its limits', async () => {
    let packed = deflateSync(Buffer.alloc(64 * 1024 ** 2))
    for (let n = 0; n < 3; n++) packed = deflateSync(packed)
    const bomb = stream(packed.toString('latin1'), `/Filter [${'/FlateDecode '.repeat(4)}]`)
    const content = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >>',
      bomb,
    ])
    const ends = [await given.attack(content), await given.attack(content, { to: 'pdf' })]
    for (const end of ends) if (isFailure(end)) expect(end.code).not.toBe('engine_crashed')
    await given.stillWorks()
  }, 150_000)

  it('with a form that draws itself ends', async () => {
    const form = stream(
      '/X Do',
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
    )
    const content = onePage('/X Do', { resources: '/XObject << /X 5 0 R >>', more: [form] })
    for (const to of ['png', 'txt', 'svg', 'pdf']) {
      const end = await given.attack(content, { to })
      if (isFailure(end)) expect(['input_damaged', 'limit_exceeded', 'engine_timeout']).toContain(end.code)
    }
    await given.stillWorks()
  }, 60_000)

  it('with forms that draw two others each, thirty deep, is stopped', async () => {
    const depth = 30
    const forms = Array.from({ length: depth }, (_, n) =>
      n === depth - 1
        ? stream('0 0 1 1 re f', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]')
        : stream(
            '/X Do /X Do',
            `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${n + 6} 0 R >> >>`,
          ),
    )
    const content = onePage('/X Do', { resources: '/XObject << /X 5 0 R >>', more: forms })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 5000)
    const asked = {
      operation: 'convert',
      sources: [{ format: 'pdf', content }],
      to: 'png',
      signal: stop.signal,
    } as const
    await given.bench.run(asked)
    await given.stillWorks()
  }, 60_000)

  it.each([
    ['that goes in a circle', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>'],
    ['that lies about its size', '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>'],
    ['without anything', '<< /Type /Pages /Kids [] /Count 0 >>'],
  ])('with a page tree %s is refused', async (_, tree) => {
    const content = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      tree,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ])
    for (const to of ['png', 'pdf']) {
      const end = await given.attack(content, { to })
      if (isFailure(end)) expect(['input_damaged', 'limit_exceeded']).toContain(end.code)
      else expect(end.files).toHaveLength(1)
    }
  })

  it('with 20,000 fonts ends', async () => {
    const fonts = Array.from(
      { length: 20_000 },
      (_, n) => `/F${n} << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`,
    )
    const content = onePage('BT /F1 12 Tf (x) Tj ET', { resources: `/Font << ${fonts.join(' ')} >>` })
    for (const to of ['png', 'pdf']) {
      const end = await given.attack(content, { to })
      if (isFailure(end)) expect(['input_damaged', 'limit_exceeded', 'engine_timeout']).toContain(end.code)
    }
  }, 120_000)

  it('with an unknown password is refused as protected', async () => {
    const io = { files: { 'x.pdf': await samplePdf() }, outputs: ['y.pdf'] }
    const { outputs } = await given.bench.tool('qpdf', ['--encrypt', 'u', 'o', '256', '--', 'x.pdf', 'y.pdf'], io)
    for (const to of ['png', 'txt', 'pdf']) {
      expect(await given.attack(outputs['y.pdf'] ?? '', { to })).toMatchObject({ code: 'input_encrypted' })
    }
  })

  it('with a title that forges the count of pages is counted all the same', async () => {
    const document = await PDFDocument.load(await samplePdf())
    document.setTitle('x\nPages:           9\nPage    1 size:  9 x 9 pts')
    const end = await given.attack(await document.save(), { options: { dpi: 36 } })
    expect(isFailure(end) ? 0 : end.files.length).toBe(3)
  })

  it('has no lasting effect: ten ordinary ones after it succeed', async () => {
    for (let n = 0; n < 10; n++) await given.stillWorks()
  }, 60_000)
})

describe('damaged documents', () => {
  it('cut or with flipped bytes end in a result or a refusal', async () => {
    const whole = Buffer.from(await samplePdf({ count: 1 }))
    for (let seed = 1; seed <= 12; seed++) {
      const mutant = Buffer.from(whole)
      for (let n = 0; n < 8; n++) mutant[(seed * 7919 * (n + 1) ** 2) % mutant.length] = seed * 31 + n
      const end = await given.attack(seed % 3 === 0 ? mutant.subarray(0, mutant.length / 2) : mutant, {
        to: seed % 2 === 0 ? 'pdf' : 'png',
      })
      if (isFailure(end))
        expect(['input_damaged', 'limit_exceeded', 'input_encrypted', 'output_missing']).toContain(end.code)
    }
  }, 90_000)
})
