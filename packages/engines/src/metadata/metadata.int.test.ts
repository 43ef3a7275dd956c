import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { fixture, tagFile, tagImage, traitor } from '../testing/tagged-files.ts'

sharp.cache(false)

const bench = usePlanBench()

type Options = Readonly<Record<string, unknown>>

async function run(format: string, content: Uint8Array, to: string, options: Options = {}) {
  const end = await bench.run({ operation: 'metadata', sources: [{ format, content }], to, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

async function read(format: string, content: Uint8Array, options: Options = {}) {
  const { bytes } = await run(format, content, 'json', options)
  return JSON.parse(bytes.toString())
}

const write = async (format: string, content: Uint8Array, options: Options) =>
  (await run(format, content, format, options)).bytes

const pixels = (bytes: Uint8Array) => sharp(bytes, { pages: -1 }).raw().toBuffer()

describe('metadata that is read', () => {
  it('has groups, numbers and decimal degrees, and nothing of our copy of the file', { timeout: 60_000 }, async () => {
    const photo = await tagImage(bench, fixture('photo-100k.jpg'), 'jpg')
    const found = await read('jpg', photo)
    expect(found).toMatchObject({
      File: { FileSize: photo.length, MIMEType: 'image/jpeg', ImageWidth: expect.any(Number) },
      EXIF: { Artist: traitor, GPSLatitude: `51 deg 30' 0.00"` },
      XMP: { Title: 'Old title', Creator: [traitor] },
      IPTC: { City: traitor },
      GPS: { latitude: 51.5, longitude: -0.125, altitude: 35 },
    })
    expect(JSON.stringify(found)).not.toMatch(/in-0|FileModifyDate|FilePermissions|ExifToolVersion|Directory/)
    const raw = await read('jpg', photo, { values: 'raw' })
    expect(raw.EXIF).toMatchObject({ GPSLatitude: 51.5, YCbCrPositioning: 1 })
  })

  it.each([
    ['png', 'alpha.png', { File: { FileType: 'PNG' }, PNG: { BitDepth: 8 } }],
    ['tiff', 'photo.tiff', { File: { FileType: 'TIFF' }, EXIF: { ImageWidth: expect.any(Number) } }],
    ['svg', 'text.svg', { SVG: { Xmlns: 'http://www.w3.org/2000/svg' } }],
    ['pdf', 'two-pages.pdf', { PDF: { PageCount: 2 } }],
    ['raw', 'halves.dng', { EXIF: { DNGVersion: expect.anything() } }],
    ['mp4', 'clip.mp4', { QuickTime: {}, streams: [{ codec_type: 'video', codec_name: 'h264' }, {}] }],
    ['flac', 'tone.flac', { FLAC: {}, streams: [{ codec_type: 'audio', codec_name: 'flac', sample_rate: 44100 }] }],
    ['amr', 'noise.amr', { File: { FileSize: expect.any(Number) }, streams: [{ codec_name: 'amr_nb' }] }],
  ] as const)('is that of %s', async (format, name, expected) => {
    expect(await read(format, fixture(name))).toMatchObject(expected)
  })

  it('is that of documents', { timeout: 60_000 }, async () => {
    const docx = await readDocument('docx', 'letter.odt')
    expect(docx).toMatchObject({ OOXMLApp: { Application: expect.stringContaining('LibreOffice') } })
    const odt = await readDocument('odt', 'letter.docx')
    expect(odt).toMatchObject({ ODF: { Generator: expect.stringContaining('LibreOffice') } })
  })

  async function readDocument(to: string, from: 'letter.odt' | 'letter.docx') {
    const [, format = ''] = from.split('.')
    const end = await bench.run({ operation: 'convert', sources: [{ format, content: fixture(from) }], to })
    if (isFailure(end)) throw new Error(end.code)
    return read(to, end.files[0]?.bytes ?? Buffer.alloc(0))
  }

  it('is cut where a value is long, with a warning', async () => {
    const long = await tagFile(bench, fixture('photo-40k.jpg'), 'jpg', [`-XMP-dc:Description=${'long '.repeat(5000)}`])
    const { bytes, warnings } = await run('jpg', long, 'json')
    expect(warnings).toEqual(['Long values and lists were shortened.'])
    expect(JSON.parse(bytes.toString()).XMP.Description).toHaveLength(10_001)
  })
})

const images = [
  ['jpg', 'photo-100k.jpg'],
  ['png', 'alpha.png'],
  ['tiff', 'photo.tiff'],
  ['webp', 'photo.webp'],
  ['avif', 'photo.avif'],
  ['gif', 'animated.gif'],
] as const

describe('images', () => {
  it.each(images)('lose what is private or all, and no pixel: %s', { timeout: 60_000 }, async (format, name) => {
    const photo = await tagImage(bench, fixture(name), format)
    expect(photo.includes(traitor)).toBe(true)
    const before = await pixels(photo)
    for (const remove of ['private', 'all']) {
      const stripped = await write(format, photo, { remove })
      expect(stripped.includes(traitor), remove).toBe(false)
      expect(before.equals(await pixels(stripped)), remove).toBe(true)
      const found = await read(format, stripped)
      expect(found.GPS).toBeUndefined()
      expect(found.XMP?.Title, remove).toBe(remove === 'all' ? undefined : 'Old title')
    }
  })

  it.each(images)('get new values in every group, and keep the others: %s', async (format, name) => {
    const photo = await tagImage(bench, fixture(name), format)
    const options = {
      title: 'A "new" <=title> $x @y',
      author: "-O'Neil=#",
      description: '100 % {#[CSTR]\\n}',
      copyright: '© 2024 Ünï <b>',
      keywords: 'red, -blue,  ,#green',
      date: '2024-05-31T14:30:00+02:00',
    }
    const changed = await write(format, photo, options)
    expect((await pixels(photo)).equals(await pixels(changed))).toBe(true)
    const found = await read(format, changed)
    expect(found.XMP).toMatchObject({
      Title: options.title,
      Creator: [options.author],
      Description: options.description,
      Rights: options.copyright,
      Subject: ['red', '-blue', '#green'],
      CreateDate: '2024:05:31 14:30:00+02:00',
    })
    if (format === 'gif') return
    expect(found.EXIF).toMatchObject({
      Artist: options.author,
      ImageDescription: options.description,
      Copyright: options.copyright,
      DateTimeOriginal: '2024:05:31 14:30:00',
      OffsetTimeOriginal: '+02:00',
      SerialNumber: traitor,
    })
    if (format === 'jpg')
      expect(found.IPTC).toMatchObject({ ObjectName: options.title, Keywords: ['red', '-blue', '#green'] })
    if (format === 'png') expect(found.PNG).toMatchObject({ Title: options.title, Author: options.author })
  })

  it('lose what their later pages say too, and none of these', async () => {
    const tags = ['IFD0', 'IFD1'].flatMap((page) => [`-${page}:Artist=${traitor}`, `-${page}:Software=${traitor}`])
    const scan = await tagFile(bench, fixture('pages.tiff'), 'tiff', tags)
    const before = await pixels(scan)
    for (const remove of ['private', 'all']) {
      const stripped = await write('tiff', scan, { remove })
      expect(stripped.includes(traitor), remove).toBe(false)
      expect(before.equals(await pixels(stripped)), remove).toBe(true)
    }
  })

  it('stay turned and keep their colors where all is stripped', async () => {
    const turned = await write('jpg', fixture('rotated-exif.jpg'), { remove: 'all' })
    expect((await sharp(turned).metadata()).orientation).toBe(6)
    const wide = await sharp(fixture('photo-40k.jpg')).withIccProfile('p3').jpeg().toBuffer()
    const stripped = await write('jpg', wide, { remove: 'all' })
    expect((await sharp(stripped).metadata()).icc?.length).toBe((await sharp(wide).metadata()).icc?.length)
  })
})
