import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDocument, xlsx } from '../../../../fixtures/attacks/office-packages.ts'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { docxOf, epubOf, odtOf, pptxOf } from '../../../../fixtures/office/image-documents.ts'
import { photo } from '../../../../fixtures/photo.ts'
import { drawn, partsOf } from '../testing/package-bench.ts'
import { packages } from './package.ts'

const script = new URL('../vips/similarity.mjs', import.meta.url).href
type Drawn = Awaited<ReturnType<typeof drawn>>[number]
const { similarity } = (await import(script)) as { similarity(one: Drawn, other: Drawn): number }

const bench = usePlanBench()
let large: Buffer
let noisy: Buffer
let screenshot: Buffer

beforeAll(async () => {
  large = await photo(2400, 1600, { grain: 6 }).jpeg({ quality: 92 }).toBuffer()
  noisy = await photo(900, 600, { grain: 60 }).jpeg({ quality: 95 }).toBuffer()
  screenshot = await drawing(1200, 800).png({ compressionLevel: 2 }).toBuffer()
})

/** A drawing of few colors with a transparent corner. */
function drawing(width: number, height: number) {
  const bars = Array.from(
    { length: 12 },
    (_, n) => `<rect x="${n * 90}" y="${n * 50}" width="80" height="400" fill="#${n}3a"/>`,
  )
  return sharp(
    Buffer.from(`<svg width="${width}" height="${height}" shape-rendering="crispEdges">${bars.join('')}</svg>`),
  )
}

async function compress(format: string, content: Buffer, options = {}) {
  return bench.run({ operation: 'compress', sources: [{ format, content }], to: format, options })
}

async function compressed(format: string, content: Buffer, options = {}) {
  const end = await compress(format, content, options)
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

async function imageIn(format: string, content: Buffer, options = {}) {
  const { bytes } = await compressed(format, content, options)
  const part = (await partsOf(bench, bytes)).find(({ name }) => /\.(png|jpe?g)$/.test(name))
  return part?.content ?? Buffer.alloc(0)
}

const one = (file: string, bytes: Buffer, width = 4, height = 8 / 3) => [{ file, bytes, width, height }]

describe('a document with large images', () => {
  it.each([
    ['docx', docxOf],
    ['pptx', pptxOf],
    ['odt', odtOf],
  ] as const)('becomes much smaller as %s and looks the same', async (format, write) => {
    const original = write([
      ...one('a.jpg', large),
      { file: 'b.jpg', bytes: noisy, width: 3, height: 2 },
      { file: 'c.png', bytes: screenshot, width: 3, height: 2 },
    ])
    const { bytes, warnings } = await compressed(format, original)
    expect(warnings).toEqual([])
    expect(bytes.length).toBeLessThan(0.5 * original.length)
    const [before, after] = [await drawn(bench, format, original), await drawn(bench, format, bytes)]
    expect(after).toHaveLength(before.length)
    for (const [n, page] of before.entries()) {
      const other = after[n]
      if (other === undefined) throw new Error('a page is missing')
      expect(similarity(page, other)).toBeGreaterThanOrEqual(0.98)
    }
  })

  it('keeps every other part and the order of parts', async () => {
    const original = docxOf(one('a.jpg', large), [
      { name: 'word/vbaProject.bin', content: Buffer.alloc(5000, 'macro') },
    ])
    const { bytes } = await compressed('docx', original)
    const [before, after] = [await partsOf(bench, original), await partsOf(bench, bytes)]
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    const others = (parts: typeof before) => parts.filter(({ name }) => !name.endsWith('.jpg'))
    expect(others(after).map(({ content }) => content)).toEqual(others(before).map(({ content }) => content))
  })

  it('begins with its type, unpacked, as OpenDocument and EPUB ask', async () => {
    for (const [format, content] of [
      ['odt', odtOf(one('a.jpg', large))],
      ['epub', epubOf([{ file: 'a.jpg', bytes: large }])],
    ] as const) {
      const { bytes } = await compressed(format, content)
      expect(bytes.length).toBeLessThan(0.9 * content.length)
      expect(bytes.toString('latin1', 30, 66)).toMatch(/^mimetypeapplication\//)
      expect((await partsOf(bench, bytes))[0]).toMatchObject({ name: 'mimetype', isStored: true })
    }
  })

  it('that came with its type further back is put in order', async () => {
    const parts = await partsOf(bench, epubOf([{ file: 'a.jpg', bytes: large }]))
    const { bytes } = await compressed('epub', zipOf(parts.toReversed()))
    expect((await partsOf(bench, bytes))[0]).toMatchObject({ name: 'mimetype', isStored: true })
  })

  it('is handed out as it was where nothing can be gained', async () => {
    const tiny = await photo(300, 200).jpeg({ quality: 30, mozjpeg: true }).toBuffer()
    const { bytes: first } = await compressed('docx', docxOf(one('a.jpg', tiny)))
    const { bytes, warnings } = await compressed('docx', first)
    expect(bytes).toEqual(first)
    expect(warnings).toEqual(['original'])
  })
})

describe('an image', () => {
  it.each([
    ['medium', 600],
    ['high', 440],
    ['extreme', 288],
  ])('has the resolution of the level %s at the size it is shown', async (level, width) => {
    const image = await imageIn('docx', docxOf(one('a.jpg', large)), { level })
    expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width })
  })

  it('has the resolution that is asked for', async () => {
    const image = await imageIn('docx', docxOf(one('a.jpg', large)), { dpi: 300 })
    expect(await sharp(image).metadata()).toMatchObject({ width: 1200 })
  })

  it('is measured by all of it where only a part is shown', async () => {
    const image = await imageIn('docx', docxOf([{ file: 'a.jpg', bytes: large, width: 4, height: 2, cropLeft: 0.5 }]))
    expect(await sharp(image).metadata()).toMatchObject({ width: 1200 })
  })

  it('that is shown twice is as fine as the larger one needs', async () => {
    const twice = docxOf([...one('a.jpg', large, 2, 4 / 3), ...one('a.jpg', large, 4, 8 / 3)])
    expect(await sharp(await imageIn('docx', twice)).metadata()).toMatchObject({ width: 600 })
  })

  it('that is coarser than asked for is never enlarged', async () => {
    const image = await imageIn('docx', docxOf(one('b.jpg', noisy, 20, 13)))
    expect(await sharp(image).metadata()).toMatchObject({ width: 900, height: 600 })
  })

  it('keeps its resolution where the document does not tell how it is shown', async () => {
    const image = await imageIn('epub', epubOf([{ file: 'a.jpg', bytes: large }]))
    expect(image.length).toBeLessThan(large.length)
    expect(await sharp(image).metadata()).toMatchObject({ width: 2400, height: 1600 })
  })

  it('keeps profile, orientation and print resolution', async () => {
    const tagged = await photo(2400, 1600)
      .withIccProfile('p3')
      .withMetadata({ orientation: 6, density: 300 })
      .jpeg({ quality: 95 })
      .toBuffer()
    const before = await sharp(tagged).metadata()
    const after = await sharp(await imageIn('docx', docxOf(one('a.jpg', tagged, 2, 3)))).metadata()
    expect(after.width).toBeLessThan(1200)
    expect(after.icc).toEqual(before.icc)
    expect(after.orientation).toBe(6)
    expect(after.density).toBeCloseTo((300 * after.width) / 2400, -1)
  })

  it('of grey stays grey', async () => {
    const grey = await photo(1200, 800).toColourspace('b-w').jpeg({ quality: 95 }).toBuffer()
    const after = await sharp(await imageIn('docx', docxOf(one('a.jpg', grey)))).metadata()
    expect(after).toMatchObject({ space: 'b-w', width: 600 })
  })

  it('without loss has the very same pixels', async () => {
    for (const level of ['low', 'medium']) {
      const image = await imageIn('epub', epubOf([{ file: 'c.png', bytes: screenshot }]), { level })
      expect(image.length).toBeLessThan(screenshot.length)
      const pixels = (bytes: Buffer) => sharp(bytes).ensureAlpha().raw().toBuffer()
      expect(await pixels(image)).toEqual(await pixels(screenshot))
    }
  })

  it('stays as it is at the level that loses nothing', async () => {
    expect(await imageIn('docx', docxOf(one('a.jpg', large)), { level: 'low' })).toEqual(large)
  })

  it('of many colours is reduced to 256 only where that is hardly seen', async () => {
    const soft = await photo(900, 600, { grain: 0 }).png().toBuffer()
    const high = await imageIn('epub', epubOf([{ file: 'a.png', bytes: soft }]), { level: 'high' })
    const medium = await imageIn('epub', epubOf([{ file: 'a.png', bytes: soft }]), { level: 'medium' })
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    expect(await pixels(medium)).toEqual(await pixels(soft))
    expect(high.length).toBeLessThanOrEqual(medium.length)
  })

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['in print colours', async () => photo(1200, 800).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()],
    ['that is none', () => Buffer.alloc(50_000, 'no image')],
  ])('%s is left as it is', async (_, change) => {
    const odd = Buffer.from(await change(large))
    expect(await imageIn('docx', docxOf(one('a.jpg', odd)))).toEqual(odd)
  })

  it('of an animation, of 16 bits or in a thumbnail is left as it is', async () => {
    const deep = await photo(800, 600).toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer()
    expect(await imageIn('docx', docxOf(one('a.png', deep)))).toEqual(deep)
    const thumbnail = { name: 'docProps/thumbnail.jpeg', content: large, store: true }
    const { bytes } = await compressed(
      'docx',
      docxOf([], [thumbnail, { name: 'word/x.txt', content: Buffer.alloc(9999), store: true }]),
    )
    const kept = (await partsOf(bench, bytes)).find(({ name }) => name === 'docProps/thumbnail.jpeg')
    expect(kept?.content).toEqual(large)
  })
})

describe('a protected document', () => {
  it.each([
    ['_xmlsignatures/sig1.xml', 'docx'],
    ['META-INF/signatures.xml', 'epub'],
  ])('that is signed by %s has a warning that its signature is no longer valid', async (name, format) => {
    const signature = { name, content: '<x/>' }
    const content =
      format === 'docx' ? docxOf(one('a.jpg', large), [signature]) : epubOf(one('a.jpg', large), [signature])
    const { warnings } = await compressed(format, content)
    expect(warnings).toEqual(['The document was signed; the signature does not hold for the result.'])
  })

  it('that is encrypted is refused with an error that says so', async () => {
    const manifest =
      '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
    const openDoc = zipOf([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', store: true },
      { name: 'META-INF/manifest.xml', content: `<manifest:manifest>${manifest}</manifest:manifest>` },
    ])
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')])
    const book = epubOf([], [encryption('http://www.w3.org/2001/04/xmlenc#aes256-cbc')])
    for (const [format, content] of [
      ['odt', openDoc],
      ['docx', compound],
      ['epub', book],
    ] as const) {
      expect(await compress(format, content)).toMatchObject({ kind: 'failure', code: 'input_encrypted' })
    }
  })

  it('of which only fonts are obfuscated is compressed', async () => {
    const book = epubOf([{ file: 'a.jpg', bytes: large }], [encryption('http://www.idpf.org/2008/embedding')])
    expect((await compressed('epub', book)).bytes.length).toBeLessThan(book.length)
  })
})

const encryption = (algorithm: string) => ({
  name: 'META-INF/encryption.xml',
  content: `<encryption><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`,
})

describe('every format', () => {
  it.each(packages.abilities.map(({ from }) => from))('%s keeps its words', async (format) => {
    const kind = format.startsWith('o') ? 'openDocument' : format.startsWith('x') ? 'workbook' : 'other'
    const padding = { name: 'padding.txt', content: Buffer.alloc(20_000, 'x'), store: true }
    const content =
      kind === 'openDocument'
        ? openDocument({ body: '<text:p>Words that stay</text:p>', more: [padding] })
        : kind === 'workbook'
          ? xlsx('<row r="1"><c r="A1" t="inlineStr"><is><t>Words that stay</t></is></c></row>', {
              more: { more: [padding] },
            })
          : format === 'epub'
            ? epubOf([], [padding])
            : docxOf([], [padding])
    const { bytes } = await compressed(format, content)
    expect(bytes.length).toBeLessThan(content.length)
    const text = (await partsOf(bench, bytes)).map((part) => String(part.content)).join('')
    expect(text).toContain('Words that stay')
  })
})
