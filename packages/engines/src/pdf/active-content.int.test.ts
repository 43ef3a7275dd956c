import { isFailure } from '@lathe/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPdfAttacks, type PdfAttacks, type Try } from '../testing/pdf-attacks.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { onePage, stream } from './hostile-pdf.ts'

let given: PdfAttacks
beforeAll(async () => {
  given = await openPdfAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())
afterEach(() => expect(given.tripwire.hits()).toBe(0))

describe('A14: a file that is valid in two formats', () => {
  const page = '<html><script>alert(1)</script></html>'
  it.each([
    ['a PDF before a ZIP', (pdf: Buffer) => Buffer.concat([pdf, Buffer.from('PK\x03\x04CAFEBABE')])],
    ['a PDF after a page of the web', (pdf: Buffer) => Buffer.concat([Buffer.from(`${page}\n`), pdf])],
    ['a PDF after a script', (pdf: Buffer) => Buffer.concat([Buffer.from('var a = 1; /*\n'), pdf])],
  ])('%s comes out as nothing but a PDF', async (_, wrap) => {
    const pdf = Buffer.from(await samplePdf({ count: 1 }))
    const end = await given.attack(wrap(pdf), { to: 'pdf' })
    if (isFailure(end)) return expect(end.code).toBe('input_damaged')
    const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    for (const part of ['PK\x03\x04', '<script>', 'var a']) expect(bytes.includes(part)).toBe(false)
    expect(bytes.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true)
  })
})

describe('A15: active content', () => {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
  const link = (action: string) => `<< /Type /Annot /Subtype /Link /Rect [0 0 99 99] /A ${action} >>`
  const active = () =>
    onePage('', {
      catalog: `/OpenAction ${script} /AA << /WC ${script} >> /Names << /JavaScript << /Names [(a) ${script}] >> /EmbeddedFiles << /Names [(x) 6 0 R] >> >> /AcroForm << /XFA (evil) /Fields [] >>`,
      page: `/AA << /O ${script} >> /Annots [5 0 R 8 0 R 9 0 R 10 0 R 11 0 R << /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>]`,
      more: [
        link('<< /S /Launch /F (calc.exe) >>'),
        '<< /Type /Filespec /F (evil.exe) /EF << /F 7 0 R >> >>',
        stream('MZ attached program', '/Type /EmbeddedFile'),
        link(`<< /S /SubmitForm /F (http://127.0.0.1:${given.tripwire.port}/) >>`),
        link('<< /S /URI /URI (javascript:alert\\(1\\)) >>'),
        link('<< /S /URI /URI (https://example.org/fine) >>'),
        link(`<< /S /GoTo /D [3 0 R /Fit] /Next [${script}] >>`),
      ],
    })
  const poster =
    '/Type /XObject /Subtype /Form /BBox [0 0 200 50] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const traces = [
    'JavaScript',
    'app.alert',
    'javascript:',
    'Launch',
    'calc.exe',
    'SubmitForm',
    'RichMedia',
    'XFA',
    'attached program',
  ]

  it.each<[string, Try]>([
    ['converted', { to: 'pdf' }],
    ['converted to PDF/A', { to: 'pdf', options: { pdf_a: '3b' } }],
    ['converted and flattened', { to: 'pdf', options: { linearize: true, flatten: true } }],
    ['trimmed', { to: 'pdf', operation: 'trim', options: { pages: '1' } }],
    ['cropped', { to: 'pdf', operation: 'crop', options: { width: 100, height: 100 } }],
  ])('is removed from a PDF that is %s, with a warning', async (_, asked) => {
    const end = await given.attack(active(), asked)
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await given.insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(traces.filter((trace) => inside.includes(trace))).toEqual([])
    expect(end.warnings.join()).toMatch(/Scripts.*Attached files|Attached files.*Scripts/)
  })

  it('is removed from a video, of which the image on the page remains', async () => {
    const video = onePage('', {
      page: '/Annots [5 0 R]',
      more: [
        `<< /Type /Annot /Subtype /RichMedia /Rect [0 0 200 50] /AP << /N 6 0 R /D 7 0 R >> /A ${script} /RichMediaContent << /Assets 7 0 R >> >>`,
        stream('BT /F1 12 Tf 5 20 Td (poster) Tj ET', poster),
        stream('moving images'),
      ],
    })
    const end = await given.attack(video, { to: 'pdf' })
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await given.insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(inside).toContain('(poster)')
    for (const trace of ['RichMedia', 'moving images', 'JavaScript']) expect(inside).not.toContain(trace)
    expect(end.warnings.join()).toContain('The images that stand for them on the page stay')
  })

  it('is removed except for attachments, if these are requested', async () => {
    const end = await given.attack(active(), { to: 'pdf', options: { keep_attachments: true } })
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await given.insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(traces.filter((trace) => inside.includes(trace))).toEqual(['attached program'])
    expect(inside).toContain('https://example.org/fine')
  })

  it('is removed from a web page', async () => {
    const end = await given.attack(active(), { to: 'html' })
    if (isFailure(end)) throw new Error(end.detail)
    expect(String(end.files[0]?.bytes)).not.toMatch(/javascript:|<script/i)
  })

  it('is removed by a compression that succeeds', async () => {
    const padded = Buffer.concat([active(), Buffer.alloc(20_000, '\n')])
    const end = await given.attack(padded, { to: 'pdf', operation: 'compress' })
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await given.insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(traces.filter((trace) => inside.includes(trace))).toEqual([])
  })
})
