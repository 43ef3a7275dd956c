import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { circlePdf, damagedPdfs, oddPdfs, soundPdf } from '../testing/damaged-pdf.ts'
import { rawPdf } from './hostile-pdf.ts'

const bench = usePlanBench()

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
  expect(String((await convert(rewritten.files[0]?.bytes ?? soundPdf, 'txt')).files[0]?.bytes)).toContain('Still here')
  return [words, drawn, rewritten].flatMap(({ warnings }) => warnings)
}

describe('a PDF with', () => {
  it.each(Object.entries(damagedPdfs))('%s is converted with a warning, and refused by strict', async (_, bytes) => {
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

  it.each(Object.entries(oddPdfs))('%s is converted', async (_, bytes) => {
    await expectWhole(bytes)
  })

  it('nothing wrong has no warning, strict or not', async () => {
    expect(await expectWhole(soundPdf)).toEqual([])
    expect((await convert(soundPdf, 'txt', { strict: true })).warnings).toEqual([])
  })

  it('only an owner password opens without a warning', async () => {
    const io = { files: { 'in.pdf': soundPdf }, outputs: ['out.pdf'] }
    const args = ['--encrypt', '', 'owner', '256', '--print=none', '--', 'in.pdf', 'out.pdf']
    const { outputs } = await bench.tool('qpdf', args, io)
    const warnings = await expectWhole(outputs['out.pdf'] ?? Buffer.alloc(0))
    expect(new Set(warnings)).toEqual(new Set([expect.stringContaining('restricted')]))
  })

  it('junk before its header is converted', async () => {
    const junk = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n')
    await expectWhole(Buffer.concat([junk, soundPdf]))
  })

  it('a cyclic page tree is converted all the same', async () => {
    const { files, warnings } = await convert(circlePdf, 'docx')
    expect(files).toHaveLength(1)
    expect(warnings[0]).toContain('was repaired')
  })

  it('no page at all is refused', async () => {
    const sources = [{ format: 'pdf', content: rawPdf(['<< /Type /Catalog >>']) }]
    expect(await bench.run({ operation: 'convert', sources, to: 'png' })).toMatchObject({ code: 'input_damaged' })
  })
})
