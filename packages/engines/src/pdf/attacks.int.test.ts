import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { type Failure, isFailure, type ProcessingOperation } from '@lathe/domain'
import { type BenchEnd, openPlanBench, type PlanBench } from '@lathe/testing'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { planTask } from '../registry.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { manyPages, onePage, rawPdf, samePage, stream } from './hostile-pdf.ts'

sharp.cache(false)

const canary = 'CANARY-7f3a91'
let bench: PlanBench
let tripwire: Server
let folder: string
let secret: string
let port = 0
let hits = 0

beforeAll(async () => {
  // An engine sees nothing of this: neither the file, nor the variable, nor the port.
  folder = await mkdtemp(join(tmpdir(), 'lathe-canary-'))
  secret = join(folder, 'canary')
  await writeFile(secret, canary)
  process.env.CANARY_ENV = canary
  tripwire = createServer((socket) => {
    hits++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tripwire, 'listening')
  port = (tripwire.address() as { port: number }).port
  bench = await openPlanBench()
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  tripwire.close()
  delete process.env.CANARY_ENV
  await rm(folder, { recursive: true })
})
afterEach(() => expect(hits).toBe(0))

interface Try {
  readonly format?: string
  readonly to?: string
  readonly operation?: ProcessingOperation
  readonly options?: Record<string, unknown>
}

async function attack(
  content: string | Uint8Array,
  { format = 'pdf', to = 'png', operation = 'convert', options = {} }: Try = {},
) {
  const started = performance.now()
  const end = await bench.run({ operation, sources: [{ format, content }], to, options })
  expect(performance.now() - started).toBeLessThan(130_000)
  if (!isFailure(end)) for (const { bytes } of end.files) expect(bytes.includes(canary)).toBe(false)
  return end
}

/** The text of a result, whatever it was drawn as. */
async function textOf(end: BenchEnd | Failure): Promise<string> {
  if (isFailure(end)) return ''
  const io = { files: { 'x.pdf': end.files[0]?.bytes ?? '' }, outputs: ['x.txt'] }
  return String((await bench.tool('pdftotext', ['x.pdf', 'x.txt'], io)).outputs['x.txt'] ?? '')
}

/** Everything in a PDF, with all streams unpacked. */
async function insideOf(bytes: Uint8Array): Promise<string> {
  const { outputs } = await bench.tool('qpdf', ['--qdf', '--object-streams=disable', 'x.pdf', 'y.pdf'], {
    files: { 'x.pdf': bytes },
    outputs: ['y.pdf'],
  })
  return outputs['y.pdf']?.toString('latin1') ?? ''
}

async function stillWorks() {
  const end = await attack(await samplePdf({ count: 1 }), { options: { dpi: 36 } })
  expect(end).toMatchObject({ kind: 'done' })
}

const eps = (program: string) => `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 200 200\n${program}\nshowpage\n%%EOF\n`
const show = '/Helvetica findfont 12 scalefont setfont 10 100 moveto'

describe('A06: PostScript', () => {
  it.each([
    ['reads a file of the host', () => `${show} (${secret}) (r) file 64 string readstring pop show`],
    ['reads a file of the engine root', () => `${show} (/etc/passwd) (r) file 64 string readstring pop show`],
    ['runs a command to write', () => '(%pipe%touch /job/pwn) (w) file closefile'],
    ['runs a command to read', () => `${show} (%pipe%id) (r) file 64 string readstring pop show`],
    ['runs a command by a bar', () => '(|touch /job/pwn) (w) file closefile'],
    [
      'changes where the device writes to',
      () => 'mark /OutputFile (%pipe%touch /job/pwn) currentdevice putdeviceprops',
    ],
    [
      'leaves the safe mode',
      () => 'systemdict /.setsafe known { .forceput } if << /SAFER false >> setuserparams (/etc/passwd) (r) file',
    ],
    ['writes a file beside', () => '(pwn) (w) file dup (x) writestring closefile'],
    ['removes its input', () => '(in-0.eps) deletefile (in-0.eps) (r) file'],
    ['lists files', () => `${show} (/etc/*) { show } 256 string filenameforall`],
  ])('that %s gets nothing', async (_, program) => {
    const end = await attack(eps(program()), { format: 'eps', to: 'pdf' })
    if (isFailure(end)) expect(['input_damaged', 'unsupported']).toContain(end.code)
    expect(await textOf(end)).not.toMatch(/root|uid=|passwd|CANARY/)
    expect(isFailure(end) ? 1 : end.files.length).toBe(1)
  })

  it('that asks for the environment learns nothing of the worker', async () => {
    const program = `${show} (CANARY_ENV) getenv { show } { (nothing) show } ifelse (HOME) getenv { show } if`
    expect(await textOf(await attack(eps(program), { format: 'eps', to: 'pdf' }))).not.toContain(canary)
  })

  it('that loops for ever is stopped: by its deadline, or by whoever wants it to', async () => {
    const content = eps('{} loop')
    const source = { file: 'in-0.eps', format: 'eps', size: content.length, filename: 'x' }
    const plan = planTask({ operation: 'convert', sources: [source], to: 'png', options: {} })
    if (isFailure(plan)) throw new Error('no plan')
    expect(plan.steps[0]?.limits.timeMs).toBeLessThanOrEqual(120_000)
    const sources = [{ format: 'eps', content }]
    const started = performance.now()
    await bench.run({ operation: 'convert', sources, to: 'png', signal: AbortSignal.timeout(2000) })
    expect(performance.now() - started).toBeLessThan(10_000)
    await stillWorks()
  })

  it.each(['jpg', 'ai', 'ps'])('named .%s is no other thing', async (format) => {
    const end = await attack(eps(`${show} (/etc/passwd) (r) file 64 string readstring pop show`), {
      format,
      to: format === 'jpg' ? 'png' : 'pdf',
    })
    if (isFailure(end)) expect(['input_damaged', 'unsupported']).toContain(end.code)
    expect(await textOf(end)).not.toContain('root')
  })

  it('within a PDF is not run', async () => {
    const program = stream('(/etc/passwd) (r) file 64 string readstring pop show', '/Type /XObject /Subtype /PS')
    const content = onePage('/X Do', { resources: '/XObject << /X 5 0 R >>', more: [program] })
    for (const options of [{ pdf_a: '2b' }, { pdf_version: '1.4' }]) {
      expect(await textOf(await attack(content, { to: 'pdf', options }))).not.toContain('root')
    }
  })

  it('does its work otherwise: pixels are where it drew them', async () => {
    const end = await attack(eps('1 0 0 setrgbcolor 0 100 100 100 rectfill'), { format: 'eps', options: { dpi: 72 } })
    if (isFailure(end)) throw new Error(end.detail)
    const picture = sharp(end.files[0]?.bytes)
    expect(await picture.metadata()).toMatchObject({ width: 200, height: 200 })
    const { dominant } = await sharp(
      await picture.extract({ left: 10, top: 10, width: 80, height: 80 }).toBuffer(),
    ).stats()
    expect(dominant.r).toBeGreaterThan(240)
    expect(dominant.g).toBeLessThan(16)
  })
})

describe('A14: a file that is two things', () => {
  const page = '<html><script>alert(1)</script></html>'
  it.each([
    ['a PDF before a ZIP', (pdf: Buffer) => Buffer.concat([pdf, Buffer.from('PK\x03\x04CAFEBABE')])],
    ['a PDF after a page of the web', (pdf: Buffer) => Buffer.concat([Buffer.from(`${page}\n`), pdf])],
    ['a PDF after a script', (pdf: Buffer) => Buffer.concat([Buffer.from('var a = 1; /*\n'), pdf])],
  ])('%s comes out as nothing but a PDF', async (_, wrap) => {
    const pdf = Buffer.from(await samplePdf({ count: 1 }))
    const end = await attack(wrap(pdf), { to: 'pdf' })
    if (isFailure(end)) return expect(end.code).toBe('input_damaged')
    const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    for (const part of ['PK\x03\x04', '<script>', 'var a']) expect(bytes.includes(part)).toBe(false)
    expect(bytes.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true)
  })
})

describe('A15: what acts by itself', () => {
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
        link(`<< /S /SubmitForm /F (http://127.0.0.1:${port}/) >>`),
        link('<< /S /URI /URI (javascript:alert\\(1\\)) >>'),
        link('<< /S /URI /URI (https://example.org/fine) >>'),
        link(`<< /S /GoTo /D [3 0 R /Fit] /Next [${script}] >>`),
      ],
    })
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
  ])('is gone from a PDF that is %s, and its owner is told', async (_, asked) => {
    const end = await attack(active(), asked)
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(traces.filter((trace) => inside.includes(trace))).toEqual([])
    expect(end.warnings.join()).toMatch(/Scripts.*Attached files|Attached files.*Scripts/)
  })

  it('is gone but for attachments, where these are wanted', async () => {
    const end = await attack(active(), { to: 'pdf', options: { keep_attachments: true } })
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(traces.filter((trace) => inside.includes(trace))).toEqual(['attached program'])
    expect(inside).toContain('https://example.org/fine')
  })

  it('is gone from a page of the web', async () => {
    const end = await attack(active(), { to: 'html' })
    if (isFailure(end)) throw new Error(end.detail)
    expect(String(end.files[0]?.bytes)).not.toMatch(/javascript:|<script/i)
  })

  it('is gone after a compression that succeeds', async () => {
    const padded = Buffer.concat([active(), Buffer.alloc(20_000, '\n')])
    const end = await attack(padded, { to: 'pdf', operation: 'compress' })
    if (isFailure(end)) throw new Error(end.detail)
    const inside = await insideOf(end.files[0]?.bytes ?? Buffer.alloc(0))
    expect(traces.filter((trace) => inside.includes(trace))).toEqual([])
  })
})

describe('B06: a PDF made to exhaust', () => {
  it.each([
    [9999, true],
    [10_000, true],
    [10_001, false],
  ])('with %i pages is let through: %s', async (count, isAllowed) => {
    const end = await attack(manyPages(count), { options: { pages: '1', dpi: 18 } })
    if (isAllowed) return expect(end).toMatchObject({ kind: 'done' })
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining(`${count} pages`) })
  })

  it('with a million entries for one page is refused', async () => {
    for (const to of ['png', 'pdf']) {
      const end = await attack(samePage(1_000_000), { to })
      expect(['input_damaged', 'limit_exceeded']).toContain(isFailure(end) ? end.code : 'done')
    }
  })

  it.each([
    [9999, true],
    [10_000, true],
    [10_001, false],
  ])('with a page that gets %i pixels long is let through: %s', async (side, isAllowed) => {
    const long = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${side} 10] >>`,
    ])
    const end = await attack(long, { options: { dpi: 72 } })
    if (isAllowed) return expect(end).toMatchObject({ kind: 'done' })
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('10000') })
  })

  it('with a page of a million points is refused', async () => {
    const content = onePage('', { page: '/MediaBox [0 0 1000000 1000000]' })
    for (const to of ['png', 'txt', 'pdf'])
      expect(await attack(content, { to })).toMatchObject({ code: 'limit_exceeded' })
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
    const ends = [await attack(content), await attack(content, { to: 'pdf' })]
    for (const end of ends) if (isFailure(end)) expect(end.code).not.toBe('engine_crashed')
    await stillWorks()
  }, 150_000)

  it('with a form that draws itself ends', async () => {
    const form = stream(
      '/X Do',
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>',
    )
    const content = onePage('/X Do', { resources: '/XObject << /X 5 0 R >>', more: [form] })
    for (const to of ['png', 'txt', 'svg', 'pdf']) {
      const end = await attack(content, { to })
      if (isFailure(end)) expect(['input_damaged', 'limit_exceeded', 'engine_timeout']).toContain(end.code)
    }
    await stillWorks()
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
    await bench.run(asked)
    await stillWorks()
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
      const end = await attack(content, { to })
      if (isFailure(end)) expect(['input_damaged', 'limit_exceeded']).toContain(end.code)
      else expect(end.files).toHaveLength(1)
    }
  })

  it('with 100,000 fonts ends', async () => {
    const fonts = Array.from(
      { length: 100_000 },
      (_, n) => `/F${n} << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>`,
    )
    const content = onePage('BT /F1 12 Tf (x) Tj ET', { resources: `/Font << ${fonts.join(' ')} >>` })
    for (const to of ['png', 'pdf']) {
      const end = await attack(content, { to })
      if (isFailure(end)) expect(['input_damaged', 'limit_exceeded', 'engine_timeout']).toContain(end.code)
    }
  }, 120_000)

  it('with an unknown password is refused as protected', async () => {
    const io = { files: { 'x.pdf': await samplePdf() }, outputs: ['y.pdf'] }
    const { outputs } = await bench.tool('qpdf', ['--encrypt', 'u', 'o', '256', '--', 'x.pdf', 'y.pdf'], io)
    for (const to of ['png', 'txt', 'pdf']) {
      expect(await attack(outputs['y.pdf'] ?? '', { to })).toMatchObject({ code: 'input_encrypted' })
    }
  })

  it('with a title that forges the count of pages is counted all the same', async () => {
    const document = await PDFDocument.load(await samplePdf())
    document.setTitle('x\nPages:           9\nPage    1 size:  9 x 9 pts')
    const end = await attack(await document.save(), { options: { dpi: 36 } })
    expect(isFailure(end) ? 0 : end.files.length).toBe(3)
  })

  it('is forgotten at once: ten ordinary ones after it succeed', async () => {
    for (let n = 0; n < 10; n++) await stillWorks()
  }, 60_000)
})

describe('damaged documents', () => {
  it('cut or with flipped bytes end in a result or a refusal', async () => {
    const whole = Buffer.from(await samplePdf({ count: 1 }))
    for (let seed = 1; seed <= 12; seed++) {
      const mutant = Buffer.from(whole)
      for (let n = 0; n < 8; n++) mutant[(seed * 7919 * (n + 1) ** 2) % mutant.length] = seed * 31 + n
      const end = await attack(seed % 3 === 0 ? mutant.subarray(0, mutant.length / 2) : mutant, {
        to: seed % 2 === 0 ? 'pdf' : 'png',
      })
      if (isFailure(end))
        expect(['input_damaged', 'limit_exceeded', 'input_encrypted', 'output_missing']).toContain(end.code)
    }
  }, 90_000)
})
