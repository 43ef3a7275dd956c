import { isFailure } from '@lathe/domain'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawPdf, stream } from './hostile-pdf.ts'

let bench: PlanBench
beforeAll(async () => {
  bench = await openPlanBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

const font = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
const content = '0 0 1 rg 20 20 60 60 re f BT /F 18 Tf 20 120 Td (Still here) Tj ET'

/** The objects of a PDF of one page with a blue square and the words `Still here`. */
function objects({ tree = '/Count 1', box = '/MediaBox [0 0 200 200]' } = {}): readonly string[] {
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] ${tree} >>`,
    `<< /Type /Page /Parent 2 0 R ${box} /Contents 4 0 R ${font} >>`,
    stream(content),
  ]
}

const sound = rawPdf(objects())
const text = sound.toString('latin1')
const edited = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), 'latin1')

/** What people's files suffer from, and whether the bare tools complain of it. */
const damages: Readonly<Record<string, Buffer>> = {
  'a table of objects at the wrong place': edited(/startxref\n\d+/, 'startxref\n7'),
  'a table of objects with wrong places': edited(/^\d{10} 00000 n/gm, '0000000003 00000 n'),
  'no trailer': Buffer.from(text.slice(0, text.indexOf('xref\n')), 'latin1'),
  'an end that is missing': Buffer.from(text.slice(0, text.indexOf('trailer')), 'latin1'),
  'a count of pages beyond all objects': rawPdf(objects({ tree: '/Count 1410065407' })),
  'an object with an impossible number': edited('xref\n0 5', '2147483647 0 obj\nnull\nendobj\nxref\n0 9'),
}

/** What looks odd but every reader takes. */
const oddities: Readonly<Record<string, Buffer>> = {
  'a size that is too small': edited('/Size 5', '/Size 2'),
  'no size of its page': rawPdf(objects({ box: '' })),
  'no kind of its pages': edited('/Type /Page /Parent', '/Parent'),
}

async function convert(bytes: Uint8Array, to: string, options = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: 'pdf', content: bytes }], to, options })
  if (isFailure(end)) throw new Error(`${end.code} ${end.detail}`)
  return end
}

async function expectWhole(bytes: Uint8Array): Promise<readonly string[]> {
  const words = await convert(bytes, 'txt')
  expect(String(words.files[0]?.bytes)).toContain('Still here')
  const drawn = await convert(bytes, 'png', { dpi: 72 })
  expect(drawn.files).toHaveLength(1)
  const { channels } = await sharp(drawn.files[0]?.bytes).stats()
  expect(channels[0]?.min).toBe(0)
  const rewritten = await convert(bytes, 'pdf')
  expect(String((await convert(rewritten.files[0]?.bytes ?? sound, 'txt')).files[0]?.bytes)).toContain('Still here')
  return [words, drawn, rewritten].flatMap(({ warnings }) => warnings)
}

describe('a PDF with', () => {
  it.each(Object.entries(damages))('%s is converted with a warning, and refused by strict', async (_, bytes) => {
    const warnings = await expectWhole(bytes)
    expect(warnings).toContain(
      'The PDF is damaged and was repaired: check the result. The option strict refuses such files.',
    )
    const sources = [{ format: 'pdf', content: bytes }]
    const options = { strict: true }
    expect(await bench.run({ operation: 'convert', sources, to: 'txt', options })).toMatchObject({
      code: 'input_damaged',
    })
  })

  it.each(Object.entries(oddities))('%s is converted', async (_, bytes) => {
    await expectWhole(bytes)
  })

  it('nothing wrong has no warning, strict or not', async () => {
    expect(await expectWhole(sound)).toEqual([])
    expect((await convert(sound, 'txt', { strict: true })).warnings).toEqual([])
  })

  it('an owner password only opens without a word', async () => {
    const io = { files: { 'in.pdf': sound }, outputs: ['out.pdf'] }
    const args = ['--encrypt', '', 'owner', '256', '--print=none', '--', 'in.pdf', 'out.pdf']
    const { outputs } = await bench.tool('qpdf', args, io)
    const warnings = await expectWhole(outputs['out.pdf'] ?? Buffer.alloc(0))
    expect(new Set(warnings)).toEqual(new Set([expect.stringContaining('restricted')]))
  })

  it('junk before its header is converted', async () => {
    const junk = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n')
    await expectWhole(Buffer.concat([junk, sound]))
  })

  it('no page at all is refused', async () => {
    const sources = [{ format: 'pdf', content: rawPdf(['<< /Type /Catalog >>']) }]
    expect(await bench.run({ operation: 'convert', sources, to: 'png' })).toMatchObject({ code: 'input_damaged' })
  })
})
