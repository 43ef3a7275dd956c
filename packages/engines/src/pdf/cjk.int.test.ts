import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { rawPdf, stream } from './hostile-pdf.ts'

const bench = usePlanBench()

/** A PDF that names a font that every reader of that language has, and embeds none. */
function withoutFont({ font, map, ordering }: { font: string; map: string; ordering: string }, text: string): Buffer {
  const codes = Buffer.from(text, 'utf16le').swap16().toString('hex')
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 60] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(`BT /F 36 Tf 10 15 Td <${codes}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /${font} /Encoding /${map} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${font} /FontDescriptor 7 0 R
        /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
    `<< /Type /FontDescriptor /FontName /${font} /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800
        /Descent -200 /CapHeight 700 /StemV 80 >>`,
  ])
}

const scripts = [
  ['Japanese', { font: 'HeiseiMin-W3', map: 'UniJIS-UCS2-H', ordering: 'Japan1' }, '日本語'],
  ['simplified Chinese', { font: 'STSong-Light', map: 'UniGB-UCS2-H', ordering: 'GB1' }, '简体中文'],
  ['traditional Chinese', { font: 'MSung-Light', map: 'UniCNS-UCS2-H', ordering: 'CNS1' }, '繁體中文'],
  ['Korean', { font: 'HYSMyeongJo-Medium', map: 'UniKS-UCS2-H', ordering: 'Korea1' }, '한국어'],
] as const

describe('a PDF without its fonts', () => {
  it.each(scripts)('in %s gives its text and its glyphs', async (_, font, text) => {
    const sources = [{ format: 'pdf', content: withoutFont(font, text) }]
    const words = await bench.run({ operation: 'convert', sources, to: 'txt' })
    if (isFailure(words)) throw new Error(words.detail)
    expect(String(words.files[0]?.bytes)).toContain(text)
    const drawn = await bench.run({ operation: 'convert', sources, to: 'png', options: { dpi: 72, gray: true } })
    if (isFailure(drawn)) throw new Error(drawn.detail)
    // Every character covers a good part of its square; a missing one leaves it blank.
    for (const n of [...text].keys()) {
      const square = { left: 10 + n * 36, top: 8, width: 36, height: 44 }
      const { channels } = await sharp(drawn.files[0]?.bytes).extract(square).stats()
      expect(255 - (channels[0]?.mean ?? 255)).toBeGreaterThan(12)
    }
  })
})
