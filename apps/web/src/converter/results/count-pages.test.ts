import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../../fixtures/fixtures.ts'
import { zip } from '../../../../../fixtures/zip.ts'
import { countPages } from './count-pages.ts'

const count = (...parts: (string | Uint8Array<ArrayBuffer>)[]) => countPages(new Blob(parts))
const fixture = (name: FixtureName) => new Uint8Array(readFileSync(fixturePath(name)))

/** A PDF whose objects are in a compressed stream. */
function packedPdf(...objects: readonly string[]) {
  const starts = objects.map((_, n) => `${n + 1} ${objects.slice(0, n).join('').length}`).join(' ')
  const packed = new Uint8Array(deflateSync(`${starts} ${objects.join('')}`))
  const head = `<</Type/ObjStm/N ${objects.length}/First ${starts.length + 1}/Filter/FlateDecode>>`
  return ['%PDF-1.7\n9 0 obj\n', head, 'stream\n', packed, '\nendstream\nendobj\n'] as const
}

describe('the number of pages', () => {
  it('of a PDF is that of the root of its tree', async () => {
    expect(await count(fixture('two-pages.pdf'))).toBe(2)
    const tree =
      '1 0 obj <</Type /Pages /Kids [2 0 R 3 0 R] /Count 5>> endobj 2 0 obj <</Type/Pages/Count 3>> endobj 4 0 obj <</Type /Outlines /Count 99>> endobj'
    expect(await count('%PDF-1.4\n', tree)).toBe(5)
  })

  it('is found in compressed objects of a PDF', async () => {
    const pdf = packedPdf('<</Type/Outlines/Count 40>>', '<</Type/Pages/Count 7/Kids[3 0 R]>>', '<</Type/Page>>')
    expect(await count(...pdf)).toBe(7)
  })

  it('of an office document is what the program counted that saved it', async () => {
    const office = (name: string, content: string, stored = false) =>
      count(
        new Uint8Array(
          zip([
            { name: 'first.xml', content: '<x/>' },
            { name, content, stored },
          ]),
        ),
      )
    expect(await office('docProps/app.xml', '<Properties><Pages>12</Pages></Properties>')).toBe(12)
    expect(await office('docProps/app.xml', '<Properties><Pages>3</Pages></Properties>', true)).toBe(3)
    expect(await office('meta.xml', '<meta:document-statistic meta:page-count="4"/>')).toBe(4)
    expect(await office('docProps/app.xml', '<Properties><Pages>0</Pages></Properties>')).toBeUndefined()
  })

  it('of a presentation is that of its slides', async () => {
    const names = ['ppt/slides/slide1.xml', 'ppt/slides/slide2.xml', 'ppt/slides/_rels/slide1.xml.rels']
    expect(await count(new Uint8Array(zip(names.map((name) => ({ name, content: '<x/>' })))))).toBe(2)
  })

  it('is unknown for tables, damaged files and everything else', async () => {
    const table = fixture('table.xlsx')
    const damaged = ['%PDF-1.7\n1 0 obj<</Type/ObjStm/First 4>>stream\nnothing\nendstream', 'PK\u0005\u0006']
    for (const file of [table, table.slice(0, 300), 'plain text', '', ...damaged]) {
      expect(await count(file)).toBeUndefined()
    }
  })
})
