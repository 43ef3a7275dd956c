import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeDjvu, makeXps, pageWords } from '../testing/make-pages.ts'

const bench = usePlanBench()
const samples: Record<string, Buffer> = {}
beforeAll(async () => {
  samples.xps = await makeXps(bench)
  samples.djvu = await makeDjvu(bench)
})

async function convert(format: string, to: string, { content = samples[format] ?? '', options = {} } = {}) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  return end
}

async function pagesOf(bytes: Uint8Array): Promise<number> {
  const io = { files: { 'x.pdf': bytes } }
  const { stdout } = await bench.tool('pdfinfo', ['x.pdf'], io)
  return Number(/Pages: +(\d+)/.exec(stdout)?.[1])
}

describe.each(['xps', 'djvu'])('%s', (format) => {
  it('becomes a PDF with all its pages', async () => {
    const { files, warnings } = await convert(format, 'pdf')
    expect(await pagesOf(files[0]?.bytes ?? Buffer.alloc(0))).toBe(2)
    expect(warnings).toEqual([])
  })

  it('gives its words', async () => {
    const { files } = await convert(format, 'txt')
    for (const words of pageWords) expect(String(files[0]?.bytes)).toContain(words)
  })

  it('gives the words of the pages asked for', async () => {
    const text = String((await convert(format, 'txt', { options: { pages: '2' } })).files[0]?.bytes)
    expect(text).toContain(pageWords[1])
    expect(text).not.toContain(pageWords[0])
  })

  it.each(['png', 'jpg'])('is drawn as %s, a file a page', async (to) => {
    const { files } = await convert(format, to, { options: { dpi: 50 } })
    expect(files).toHaveLength(2)
    const { channels } = await sharp(files[0]?.bytes).stats()
    // The drawing is a square on white paper.
    expect(channels[1]?.min).toBeLessThan(60)
    expect(channels[1]?.max).toBeGreaterThan(240)
  })

  it('is drawn as one TIFF', async () => {
    const { files } = await convert(format, 'tiff')
    expect((await sharp(files[0]?.bytes).metadata()).pages).toBe(2)
  })

  it('that breaks off is refused where strict is asked for', async () => {
    const content = (samples[format] ?? Buffer.alloc(0)).subarray(0, 120)
    const sources = [{ format, content }]
    const end = await bench.run({ operation: 'convert', sources, to: 'pdf', options: { strict: true } })
    expect(end).toMatchObject({ code: 'input_damaged' })
  })
})

describe('xps', () => {
  it('is drawn as SVG, a file a page', async () => {
    expect((await convert('xps', 'svg')).files).toHaveLength(2)
  })
})

describe('djvu', () => {
  it('of which one page is damaged gives the others, with a warning', async () => {
    const whole = samples.djvu ?? Buffer.alloc(0)
    const second = whole.lastIndexOf('DJVUINFO')
    const content = Buffer.from(whole)
    content.fill(0xff, second + 4, second + 60)
    const { files, warnings } = await convert('djvu', 'pdf', { content })
    expect(await pagesOf(files[0]?.bytes ?? Buffer.alloc(0))).toBe(1)
    expect(warnings).toEqual([expect.stringContaining('damaged')])
  })
})
