import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { PDFDocument, PDFName, PDFString, StandardFonts } from 'pdf-lib'
import { describe, expect, it } from 'vitest'

const bench = usePlanBench()

interface Check {
  readonly claims: string | null
  readonly checked_as: string
  readonly problems: readonly { rule: string; text: string; count: number; places: string[] }[]
}

async function run(operation: 'convert' | 'metadata' | 'encrypt', content: Uint8Array, to: string, options: object) {
  const sources = [{ format: 'pdf', content }]
  const end = await bench.run({ operation, sources, to, options: { ...options } })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

async function check(content: Uint8Array, options = {}): Promise<Check> {
  const json = await run('metadata', content, 'json', { check_pdf_a: true, ...options })
  return JSON.parse(json.toString()).pdf_a
}

const rulesOf = ({ problems }: Check) => problems.map(({ rule }) => rule)

async function plainPdf(change?: (pdf: PDFDocument) => void): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([200, 200])
  page.drawText('Lathe', { x: 20, y: 100, font: await pdf.embedFont(StandardFonts.Helvetica) })
  change?.(pdf)
  return pdf.save({ useObjectStreams: false })
}

describe('the check of PDF/A', () => {
  it.each(['1b', '2b', '3b'])('finds nothing in what the service makes as PDF/A-%s', async (pdf_a) => {
    const made = await run('convert', await plainPdf(), 'pdf', { pdf_a })
    expect(await check(made)).toEqual({
      claims: `PDF/A-${pdf_a}`,
      checked_as: `PDF/A-${pdf_a.charAt(0)}`,
      problems: [],
    })
  })

  it('reports what a plain PDF lacks, and where', async () => {
    const found = await check(await plainPdf())
    expect(found.claims).toBe(null)
    expect(rulesOf(found)).toEqual(expect.arrayContaining(['metadata', 'claim', 'identifier', 'fonts', 'color']))
    const fonts = found.problems.find(({ rule }) => rule === 'fonts')
    expect(fonts).toMatchObject({ text: 'A font is not embedded.', count: 1, places: ['Helvetica'] })
  })

  it('finds scripts, hidden annotations and attached files', async () => {
    const content = await plainPdf((pdf) => {
      const { context, catalog } = pdf
      const action = context.obj({ Type: 'Action', S: 'JavaScript', JS: PDFString.of('app.alert(1)') })
      catalog.set(PDFName.of('OpenAction'), action)
      const note = context.obj({ Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 9, 9], F: 2 })
      pdf.getPage(0).node.set(PDFName.of('Annots'), context.obj([note]))
    })
    const { problems } = await check(content)
    expect(problems).toContainEqual(expect.objectContaining({ text: 'Actions of the kind JavaScript are forbidden.' }))
    const texts = problems.filter(({ rule }) => rule === 'annotations').map(({ count }) => count)
    expect(texts).toEqual([2])
  })

  it('finds transparency in PDF/A-1, and none in PDF/A-2', async () => {
    const transparent = (pdf: PDFDocument) => pdf.getPage(0).drawSquare({ size: 50, opacity: 0.5 })
    const content = await plainPdf(transparent)
    const claiming = async (part: string) => {
      const pdf = await PDFDocument.load(content)
      const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${part}" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>`
      const stream = pdf.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })
      pdf.catalog.set(PDFName.of('Metadata'), pdf.context.register(stream))
      return check(await pdf.save({ useObjectStreams: false }))
    }
    expect(rulesOf(await claiming('1'))).toContain('transparency')
    const second = await claiming('2')
    expect(second.claims).toBe('PDF/A-2b')
    expect(rulesOf(second)).not.toContain('transparency')
  })

  it('says that a document was encrypted', async () => {
    const locked = await run('encrypt', await plainPdf(), 'pdf', { output_password: 'sesame' })
    expect(rulesOf(await check(locked, { password: 'sesame' }))).toContain('encryption')
  })

  it('goes as far as it can with a damaged file', async () => {
    const { problems } = await check((await plainPdf()).subarray(0, 300))
    expect(problems.length).toBeGreaterThan(0)
  })

  it('is made only where it is asked for', async () => {
    const json = await run('metadata', await plainPdf(), 'json', {})
    expect(JSON.parse(json.toString())).not.toHaveProperty('pdf_a')
  })
})
