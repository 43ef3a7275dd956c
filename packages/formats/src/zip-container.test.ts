import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectionBytes } from './detect.ts'
import { lookCloser } from './look-closer.ts'
import { accessTo, bytesOf, little } from './testing/bytes-of.ts'
import { zipFile } from './testing/zip-file.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const filler = ['media/video.bin', '\x01'.repeat(2 * detectionBytes)] as const

function inflate(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(packed)
  } catch {
    return undefined
  }
}

const packed = (text: string) => deflateRawSync(text).toString('latin1')
const types = (type: string) =>
  ['[Content_Types].xml', packed(`<Types><Override ContentType="${type}"/></Types>`), 8] as const

async function look(entries: Parameters<typeof zipFile>[0]) {
  const content = bytesOf(zipFile(entries))
  return await lookCloser(content.subarray(0, detectionBytes), accessTo(content, inflate))
}

describe('ZIP files whose parts are after the first bytes', () => {
  it.each([
    ['docx', `${office}.wordprocessingml.document.main+xml`],
    ['docm', 'application/vnd.ms-word.document.macroEnabled.main+xml'],
    ['xlsx', `${office}.spreadsheetml.sheet.main+xml`],
    ['xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'],
    ['xlsb', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'],
    ['pptx', `${office}.presentationml.presentation.main+xml`],
    ['pptm', 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml'],
    ['vsdx', 'application/vnd.ms-visio.drawing.main+xml'],
    ['vsdm', 'application/vnd.ms-visio.drawing.macroEnabled.main+xml'],
    ['xps', 'application/vnd.ms-package.xps-fixeddocumentsequence+xml'],
    ['thmx', `${office}.themeManager+xml`],
  ])('are %s by the list of their parts', async (ext, type) => {
    expect(await look([filler, types(type), ['a/b.xml', '']])).toEqual({ ext, conclusive: true })
  })

  it.each([
    ['dotx', ['docx', 'docm'], `${office}.wordprocessingml.template.main+xml`],
    ['xltx', ['xlsx', 'xlsm'], `${office}.spreadsheetml.template.main+xml`],
    ['ppsx', ['pptx', 'pptm'], `${office}.presentationml.slideshow.main+xml`],
  ])('are %s, or by name what it is made of', async (ext, variants, type) => {
    expect(await look([filler, types(type)])).toEqual({ ext, conclusive: true, variants })
  })

  it.each([
    ['odt', 'application/vnd.oasis.opendocument.text\n'],
    ['sxw', 'application/vnd.sun.xml.writer'],
    ['stc', 'application/vnd.sun.xml.calc.template'],
    ['epub', 'application/epub+zip'],
    ['hwpx', 'application/hwp+zip'],
  ])('are %s by a part called mimetype, packed or not', async (ext, type) => {
    expect((await look([filler, ['mimetype', type]]))?.ext).toBe(ext)
    expect((await look([filler, ['mimetype', packed(type), 8]]))?.ext).toBe(ext)
  })

  it('are OpenDocument by their manifest', async () => {
    const entry =
      '<manifest:file-entry manifest:media-type="application/vnd.oasis.opendocument.text" manifest:full-path="/"/>'
    const manifest = `<manifest:manifest><manifest:file-entry manifest:full-path="a.png"/>${entry}</manifest:manifest>`
    expect(await look([filler, ['META-INF/manifest.xml', packed(manifest), 8]])).toEqual({
      ext: 'odt',
      conclusive: true,
    })
  })

  it.each([
    ['key', ['Index/Slide-1.iwa', 'Index/Document.iwa']],
    ['key', ['index.apxl']],
    ['pages', ['Index/Document.iwa']],
    ['numbers', ['Budget.numbers/Index.zip']],
    ['epub', ['META-INF/container.xml', 'OPS/content.opf']],
    ['xps', ['_rels/.rels', 'FixedDocumentSequence.fdseq']],
    ['apk', ['AndroidManifest.xml', 'classes.dex']],
    ['jar', ['META-INF/MANIFEST.MF', 'a/B.class']],
    ['kmz', ['doc.kml']],
    ['shz', ['roads.shp', 'roads.shx', 'roads.dbf', 'roads.prj']],
    ['3mf', ['[Content_Types].xml', '3D/3dmodel.model']],
  ])('are %s by the names of what they hold', async (ext, names) => {
    const found = await look([filler, ...names.map((name) => [name, ''] as const)])
    expect(found).toMatchObject({ ext, conclusive: true })
  })

  it.each([
    ['pages', 'sl:document'],
    ['numbers', 'ls:document'],
    ['key', 'key:presentation'],
  ])('are %s by the root element of an older Apple document', async (ext, root) => {
    const index = `<?xml version="1.0"?><${root} xmlns:sf="x">`
    expect((await look([filler, ['QuickLook/a.png', ''], ['index.xml', packed(index), 8]]))?.ext).toBe(ext)
  })

  it('are archives without other information, unless the name says more', async () => {
    expect(await look([filler, ['b.txt', 'x']])).toEqual({ ext: 'zip', conclusive: false })
  })
})

describe('damaged ZIP files', () => {
  it('are recognized by their first bytes if the end is missing', async () => {
    const content = bytesOf(
      zipFile([
        ['_rels/.rels', ''],
        ['word/document.xml', 'x'.repeat(500)],
      ]),
    ).subarray(0, 300)
    expect((await lookCloser(content, accessTo(content)))?.ext).toBe('docx')
  })

  it('are found after prepended data', async () => {
    const zip = zipFile([['mimetype', 'application/epub+zip']])
    const content = bytesOf(`${zipFile([['a', 'b']])}${zip}`)
    expect((await lookCloser(content, accessTo(content)))?.ext).toBe('epub')
  })

  it('of more than 4 GiB have their directory found through the wider end record', async () => {
    const zip = zipFile([['mimetype', 'application/epub+zip']])
    const start = zip.lastIndexOf('PK\x01\x02')
    const end = zip.lastIndexOf('PK\x05\x06')
    const wide = `PK\x06\x06${'\0'.repeat(44)}${little(start, 8)}`
    const locator = `PK\x06\x07\0\0\0\0${little(end, 8)}\x01\0\0\0`
    const last = `PK\x05\x06\0\0\0\0${'\xff'.repeat(12)}\0\0`
    // A head of four bytes only shows that this is a zip.
    const content = bytesOf(zip.slice(0, end) + wide + locator + last)
    const head = bytesOf('PK\x03\x04').subarray(0, 4)
    expect((await lookCloser(head, accessTo(content)))?.ext).toBe('epub')
  })

  it('never make the parser loop', async () => {
    const start = bytesOf(zipFile([['mimetype', 'x'], types('y'), ['META-INF/manifest.xml', '<a>']]))
    const change = fc.tuple(fc.nat(start.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const content = start.slice()
        for (const [at, value] of changes) if (at > 3) content[at] = value
        const access = accessTo(content, inflate)
        await lookCloser(content, access)
        expect(access.readsSoFar()).toBeLessThan(20)
      }),
      { numRuns: 300 },
    )
  })
})

describe('compressed drawings', () => {
  it.each([
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['wmf', `\xd7\xcd\xc6\x9a${'\0'.repeat(64)}`],
    ['emf', `\x01\0\0\0\x6c\0\0\0${'\0'.repeat(32)} EMF${'\0'.repeat(64)}`],
    ['gz', 'a plain text'],
    ['gz', gzipSync('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('latin1')],
  ])('are %s by the compressed content', async (ext, content) => {
    const body = deflateRawSync(Buffer.from(content, 'latin1')).toString('latin1')
    for (const header of ['\x1f\x8b\x08\0\0\0\0\0\0\x03', '\x1f\x8b\x08\x08\0\0\0\0\0\x03name.svg\0']) {
      const file = bytesOf(header + body)
      expect(await lookCloser(file, accessTo(file, inflate))).toEqual({
        ext,
        conclusive: true,
        ...(ext === 'gz' ? { variants: ['tar.gz'] } : { isPacked: true }),
      })
    }
  })
})
