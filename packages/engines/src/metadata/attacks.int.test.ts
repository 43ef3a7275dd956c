import { deflateSync } from 'node:zlib'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { withChunk } from '../testing/sample-png-text.ts'
import { fixture, tagFile } from '../testing/tagged-files.ts'

const bench = usePlanBench()

const read = (format: string, content: Uint8Array) =>
  bench.run({ operation: 'metadata', sources: [{ format, content }], to: 'json' })

async function textOf(format: string, content: Uint8Array): Promise<string> {
  const end = await read(format, content)
  return isFailure(end) ? end.code : (end.files[0]?.bytes.toString() ?? '')
}

/** A DjVu page with an annotation that old versions of ExifTool executed. The result would be 1337. */
function djvu(): Buffer {
  const chunk = (name: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32BE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const info = Buffer.from([0, 8, 0, 8, 24, 0, 44, 1, 22, 1])
  const annotation = Buffer.from('(metadata\n\t(Author "\\\n".(7*191)."x"))', 'latin1')
  const form = Buffer.concat([Buffer.from('DJVU'), chunk('INFO', info), chunk('ANTa', annotation)])
  return Buffer.concat([Buffer.from('AT&T'), chunk('FORM', form)])
}

describe('programs in metadata [A11]', () => {
  it('of a DjVu page are text, also where a photo carries it (CVE-2021-22204) [CVE-2021-22204]', async () => {
    const found = await textOf('djvu', djvu())
    expect(found).toContain('(7*191)')
    expect(found).not.toContain('1337')
    // The tag of Hasselblad cameras contains another file, which ExifTool detects by its signature.
    const tiff = Buffer.alloc(26)
    tiff.write('II*\0\x08\0\0\0\x01\0', 'latin1')
    tiff.writeUInt16LE(0xc51b, 10)
    tiff.writeUInt16LE(7, 12)
    tiff.writeUInt32LE(djvu().length, 14)
    tiff.writeUInt32LE(26, 18)
    expect(await textOf('tiff', Buffer.concat([tiff, djvu()]))).not.toContain('1337')
  })

  it.each(['$(id)', '`id`', '\x24{id}', '-execute', '|id', '@/etc/passwd', '"}],{"x":"', '\\u0000', '</script>', '%d'])(
    '%s are values as they are',
    async (value) => {
      const photo = await tagFile(bench, fixture('photo-40k.jpg'), 'jpg', [`-XMP-dc:Title=${value}`])
      const found = JSON.parse(await textOf('jpg', photo))
      expect(found.XMP.Title).toBe(value)
      // The title that was read stays unchanged if the author is changed.
      const end = await bench.run({
        operation: 'metadata',
        sources: [{ format: 'jpg', content: photo }],
        to: 'jpg',
        options: { author: value },
      })
      const changed = isFailure(end) ? Buffer.alloc(0) : (end.files[0]?.bytes ?? Buffer.alloc(0))
      expect(JSON.parse(await textOf('jpg', changed)).XMP).toMatchObject({ Title: value, Creator: [value] })
    },
  )
})

const core = (body: string, declared = '') =>
  zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'docProps/core.xml',
      content: `<?xml version="1.0"?>${declared}<cp:coreProperties xmlns:cp="a" xmlns:dc="b">${body}</cp:coreProperties>`,
    },
  ])

describe('a file name', () => {
  // ExifTool executed file names that end with a pipe character.
  it.each(['touch pwned |', '|id', '-execute', '@/etc/passwd', 'a\n-o\nb', '%d.jpg', '$(id).jpg'])(
    'is neither executed nor an argument (CVE-2022-23935): %j [A11, CVE-2022-23935]',
    async (name) => {
      const source = { format: 'jpg', content: fixture('photo-40k.jpg'), name }
      const end = await bench.run({ operation: 'metadata', sources: [source], to: 'json' })
      const found = isFailure(end) ? end.code : String(end.files[0]?.bytes)
      expect(found).toBe(await textOf('jpg', fixture('photo-40k.jpg')))
      const options = { title: 'x' }
      const written = await bench.run({ operation: 'metadata', sources: [source], to: 'jpg', options })
      expect(written).toMatchObject({ kind: 'done', files: [{ format: 'jpg' }] })
    },
  )
})

describe('a document', () => {
  it('returns its properties', async () => {
    const found = JSON.parse(
      await textOf('docx', core('<dc:title>A &lt;title&gt;</dc:title><dc:creator>Ann</dc:creator>')),
    )
    expect(found.OOXML).toEqual({ Title: 'A <title>', Creator: 'Ann' })
  })

  it('brings no file of ours and grows without end neither by entities nor by levels', async () => {
    const file = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${'bcdefghi'.replaceAll(/./g, (one) => {
      const before = String.fromCharCode(one.charCodeAt(0) - 1)
      return `<!ENTITY ${one} "${`&${before};`.repeat(10)}">`
    })}]>`
    const deep = `${'<a>'.repeat(10_000)}x${'</a>'.repeat(10_000)}`
    for (const document of [
      core('<dc:title>&f;</dc:title>', file),
      core('<dc:title>&i;</dc:title>', laughs),
      core(deep),
    ]) {
      const found = await textOf('docx', document)
      expect(found.length).toBeLessThan(1000)
      expect(found).not.toContain('root:')
      expect(JSON.parse(found)).toHaveProperty('File')
    }
  })

  it('of a part that unpacks to a gibibyte is read as far as a part may be', async () => {
    const bomb = core(`<dc:title>${'x'.repeat(200 * 1024 ** 2)}</dc:title>`)
    expect((await textOf('docx', bomb)).length).toBeLessThan(1000)
  })

  it('that is no archive is damaged, or encrypted', async () => {
    expect(await textOf('docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe('input_encrypted')

    for (const format of ['docx', 'odt', 'epub']) expect(await textOf(format, Buffer.from('no'))).toBe('input_damaged')
  })
})

describe('metadata packed into a small file', () => {
  it('ends in time', async () => {
    const packed = deflateSync(Buffer.alloc(300 * 1024 ** 2, 'a'))
    const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), packed])
    const end = await read('png', withChunk(fixture('alpha.png'), 'zTXt', text))
    if (isFailure(end)) expect(end.code).toBe('limit_exceeded')
    else expect(end.files[0]?.bytes.length).toBeLessThan(20_000)
  })
})

describe('metadata that cannot be removed', () => {
  it('is a failure, not a result', async () => {
    // A HEIC image with a GPS position that the file does not assign to the image. ExifTool reads it but cannot remove
    // it.
    const box = (kind: string, ...parts: Buffer[]) => {
      const body = Buffer.concat(parts)
      const head = Buffer.alloc(8)
      head.writeUInt32BE(body.length + 8)
      head.write(kind, 4, 'latin1')
      return Buffer.concat([head, body])
    }
    const full = (kind: string, version: number, ...parts: Buffer[]) =>
      box(kind, Buffer.from([version, 0, 0, 0]), ...parts)
    const text = (value: string) => Buffer.from(value, 'latin1')
    const number = (value: number, bytes: number) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntBE(value, 0, bytes)
      return buffer
    }
    const photo = await tagFile(bench, fixture('photo-40k.jpg'), 'jpg', ['-all=', '-Make=Spy', '-GPSLatitude=51.5'])
    const start = photo.indexOf('Exif\0\0')
    const exif = Buffer.concat([number(0, 4), photo.subarray(start + 6, start + photo.readUInt16BE(start - 2) - 2)])
    const item = (id: number, kind: string) => full('infe', 2, number(id, 2), number(0, 2), text(kind), Buffer.alloc(1))
    const brand = box('ftyp', text('heic'), number(0, 4), text('mif1heic'))
    const meta = (at: number) =>
      full(
        'meta',
        0,
        full('hdlr', 0, number(0, 4), text('pict'), Buffer.alloc(13)),
        full('pitm', 0, number(1, 2)),
        full('iinf', 0, number(2, 2), item(1, 'hvc1'), item(2, 'Exif')),
        full(
          'iloc',
          0,
          number(0x4400, 2),
          number(1, 2),
          ...[number(2, 2), number(0, 2), number(1, 2), number(at, 4), number(exif.length, 4)],
        ),
      )
    const content = Buffer.concat([brand, meta(brand.length + meta(0).length + 8), box('mdat', exif)])
    expect(await textOf('heic', content)).toContain('51 deg 30')
    for (const remove of ['private', 'all']) {
      const sources = [{ format: 'heic', content }]
      const end = await bench.run({ operation: 'metadata', sources, to: 'heic', options: { remove } })
      expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('cannot be removed') })
    }
  })
})

describe('files that are not what they claim', () => {
  it.each(['jpg', 'png', 'pdf', 'mp3', 'mp4', 'tiff', 'heic', 'doc', 'ttf'])('are damaged: %s', async (format) => {
    expect(await textOf(format, Buffer.from('\0\x01no such file'))).toBe('input_damaged')
  })

  it('are not written either', async () => {
    for (const format of ['jpg', 'png', 'pdf', 'mp3', 'mp4', 'flac', 'mkv']) {
      const source = { format, content: Buffer.from('\0\x01no such file') }
      const end = await bench.run({ operation: 'metadata', sources: [source], to: format, options: { title: 'x' } })
      expect(end, format).toMatchObject({ code: 'input_damaged' })
    }
  })

  it('explain what to set if nothing is to change', async () => {
    const source = { format: 'jpg', content: fixture('photo-40k.jpg') }
    const end = await bench.run({ operation: 'metadata', sources: [source], to: 'jpg' })
    expect(end).toMatchObject({ code: 'unsupported', text: expect.stringContaining('remove, title, author') })
  })
})
