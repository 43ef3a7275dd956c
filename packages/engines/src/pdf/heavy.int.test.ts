import { deflateSync } from 'node:zlib'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { importLimits } from '../pages/limits.ts'
import { zipParts } from '../testing/reveal.ts'
import { onePage, stream } from './hostile-pdf.ts'

const bench = usePlanBench()

const font = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
const words = 'BT /F 12 Tf 20 180 Td (Words to keep) Tj ET\n'
const dots = Array.from({ length: importLimits.drawings + 1 }, (_, n) => `${n % 190} ${n % 180} 1 1 re f\n`).join('')
// LibreOffice's reader writes each image again, pixel by pixel, every time the page shows it.
const side = 8000
const pixels = deflateSync(Buffer.alloc(side * side)).toString('hex')
const gray = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8`
const image = stream(`${pixels}>`, `${gray} /Filter [/ASCIIHexDecode /FlateDecode]`)

async function toDocx(content: Buffer) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: 'pdf', content }], to: 'docx' })
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
  return { warnings: end.warnings, parts: zipParts(bytes), text: zipParts(bytes).join('\n') }
}

const hasImage = (parts: readonly Buffer[]) => parts.some((part) => part.subarray(1, 4).equals(Buffer.from('PNG')))

describe('a PDF with more on its page than LibreOffice can place', () => {
  it('becomes a document with its text, without waiting for LibreOffice', async () => {
    const startedAt = performance.now()
    const { warnings, text } = await toDocx(onePage(`${dots}${words}`, { resources: font }))
    expect(text).toContain('Words to keep')
    expect(warnings).toEqual([expect.stringContaining('text in paragraphs')])
    expect(performance.now() - startedAt).toBeLessThan(60_000)
  }, 120_000)

  it('becomes an image where there is no text', async () => {
    const { parts } = await toDocx(onePage(dots))
    expect(hasImage(parts)).toBe(true)
  }, 120_000)

  it('becomes a document although its reader takes too long', async () => {
    const resources = `${font} /XObject << /I 5 0 R >>`
    const content = `${words}${'q 9 0 0 9 9 9 cm /I Do Q\n'.repeat(30)}`
    const { warnings, text } = await toDocx(onePage(content, { resources, more: [image] }))
    expect(text).toContain('Words to keep')
    expect(warnings).toEqual([expect.stringMatching(/text in paragraphs|only their text/)])
  }, 120_000)
})
