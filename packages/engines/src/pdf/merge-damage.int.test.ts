import { readFile } from 'node:fs/promises'
import { isFailure } from '@lathe/domain'
import type { BenchSource } from '@lathe/testing'
import { usePlanBench } from '@lathe/testing/vitest'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { damagedPdfs, soundPdf } from '../testing/damaged-pdf.ts'

const bench = usePlanBench()

const pdf = (content: Uint8Array): BenchSource => ({ format: 'pdf', content })

async function cutPhoto(): Promise<BenchSource> {
  const bytes = await readFile(fixturePath('photo-40k.jpg'))
  return { format: 'jpg', content: bytes.subarray(0, bytes.length / 2) }
}

async function merged(sources: readonly BenchSource[], to = 'pdf') {
  const end = await bench.run({ operation: 'merge', sources, to })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

async function expectRefused(sources: readonly BenchSource[], to = 'pdf', text: unknown = expect.any(String)) {
  const end = await bench.run({ operation: 'merge', sources, to, options: { strict: true } })
  expect(end).toMatchObject({ code: 'input_damaged', text })
}

describe('a merge with a PDF that has', () => {
  it.each(Object.entries(damagedPdfs))('%s warns of it by its number, and is refused by strict', async (_, bytes) => {
    const sources = [pdf(soundPdf), pdf(bytes)]
    const { bytes: result, warnings } = await merged(sources)
    expect(warnings).toEqual([
      'File 2: The PDF is damaged and was repaired: check the result. The option strict refuses such files.',
    ])
    const io = { files: { 'x.pdf': result }, outputs: ['x.txt'] }
    const text = String((await bench.tool('pdftotext', ['x.pdf', 'x.txt'], io)).outputs['x.txt'])
    expect(text.match(/Still here/g)).toHaveLength(2)
    await expectRefused(sources, 'pdf', expect.stringMatching(/^File 2: /))
  })

  it('nothing wrong has no warning', async () => {
    expect((await merged([pdf(soundPdf), pdf(soundPdf)])).warnings).toEqual([])
  })

  it('no page at all is refused by its number', async () => {
    const end = await bench.run({
      operation: 'merge',
      sources: [pdf(soundPdf), pdf(Buffer.from('%PDF-1.7'))],
      to: 'pdf',
    })
    expect(end).toMatchObject({ code: 'input_damaged', text: expect.stringMatching(/^File 2: /) })
  })
})

describe('a merge with an image without its end', () => {
  const warning = expect.stringMatching(/^File 2: The image is damaged or incomplete/)

  it('to PDF warns of it by its number, and is refused by strict', async () => {
    const sources = [pdf(soundPdf), await cutPhoto()]
    const { bytes, warnings } = await merged(sources)
    expect((await PDFDocument.load(bytes)).getPageCount()).toBe(2)
    expect(warnings).toEqual([warning])
    await expectRefused(sources, 'pdf', expect.stringMatching(/^File 2: /))
  })

  it.each(['with a PDF', 'with another image'])('to GIF %s warns of it by its number', async (what) => {
    const png = await readFile(fixturePath('alpha.png'))
    const first: BenchSource = what === 'with a PDF' ? pdf(soundPdf) : { format: 'png', content: png }
    const sources = [first, await cutPhoto()]
    const { bytes, warnings } = await merged(sources, 'gif')
    expect((await sharp(bytes).metadata()).pages).toBe(2)
    expect(warnings).toEqual([warning])
    await expectRefused(sources, 'gif')
  })

  it('to GIF repairs a PDF among them', async () => {
    const broken = damagedPdfs['no trailer'] ?? Buffer.alloc(0)
    const { warnings } = await merged([pdf(soundPdf), pdf(broken)], 'gif')
    expect(warnings).toEqual([expect.stringMatching(/^File 2: The PDF is damaged/)])
  })
})
