import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { zipBombs } from '../../../../fixtures/attacks/office-bombs.ts'
import { docx } from '../../../../fixtures/attacks/office-packages.ts'
import { type ZipMember, zipOf } from '../../../../fixtures/attacks/zip.ts'
import { docxOf } from '../../../../fixtures/office/image-documents.ts'
import { photo } from '../../../../fixtures/photo.ts'
import { partsOf } from '../testing/package-bench.ts'
import { packageLimits } from './limits.ts'

const MiB = 1024 ** 2

const bench = usePlanBench()
let image: Buffer
beforeAll(async () => {
  image = await photo(1200, 800, { grain: 6 }).jpeg({ quality: 92 }).toBuffer()
})

async function compress(content: Buffer, format = 'docx') {
  return bench.run({ operation: 'compress', sources: [{ format, content }], to: format })
}

async function done(content: Buffer, format = 'docx') {
  const end = await compress(content, format)
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  return partsOf(bench, end.files[0]?.bytes ?? Buffer.alloc(0))
}

const list: ZipMember = { name: '[Content_Types].xml', content: '<Types/>' }
const shown = (bytes: Buffer, file = 'a.png') => docxOf([{ file, bytes, width: 2, height: 2 }])

describe('an archive that is a bomb', () => {
  const { CBZ: _, ...bombs } = zipBombs()
  // Nothing in these is unpacked: an archive inside an archive is only a part to keep.
  const harmless = ['archives in archives, as XLSX', 'a size beyond 4 GiB, as ODT']

  it.each(Object.entries(bombs).filter(([name]) => !harmless.includes(name)))('%s is refused', async (_name, bomb) => {
    const end = await compress(bomb.content, bomb.filename.split('.')[1])
    expect(end).toMatchObject({ kind: 'failure', code: expect.stringMatching(/^(limit_exceeded|input_damaged)$/) })
  })

  it('keeps archives within it closed', async () => {
    const { content } = bombs['archives in archives, as XLSX']
    expect((await done(content, 'xlsx')).map(({ name }) => name)).toEqual(['[Content_Types].xml', 'xl/x.zip'])
  })

  it('may have as many entries as the limit and no more [L-package-entries]', async () => {
    const { entries } = packageLimits.zip
    const members = (count: number) =>
      zipOf([list, ...Array.from({ length: count - 1 }, (_, n) => ({ name: `word/${n}`, content: '', store: true }))])
    expect(await done(members(entries))).toHaveLength(entries)
    expect(await compress(members(entries + 1))).toMatchObject({ code: 'limit_exceeded' })
    expect(await compress(members(100_000))).toMatchObject({ kind: 'failure' })
  })

  it('may unfold by as much as a repetitive table does [L-package-ratio]', async () => {
    const { ratio, ratioAfterBytes } = packageLimits.zip
    const rows = Buffer.alloc(ratioAfterBytes + MiB, `<c r="A1" s="1"><v>${'0123456789'.repeat(30)}</v></c>`)
    // A block of noise keeps the ratio of the whole file below the limit.
    const noise = await photo(800, 500, { grain: 120 }).raw().toBuffer()
    const content = zipOf([list, { name: 'xl/a.xml', content: rows }, { name: 'xl/b.bin', content: noise }])
    expect((rows.length + noise.length) / content.length).toBeLessThan(ratio)
    expect(await done(content, 'xlsx')).toHaveLength(3)
    const bomb = zipOf([list, { name: 'xl/a.xml', content: Buffer.alloc(ratioAfterBytes + MiB) }])
    expect(await compress(bomb, 'xlsx')).toMatchObject({ code: 'limit_exceeded' })
  })
})

describe('the name of an entry', () => {
  it.each([
    '../../../../tmp/x.jpg',
    '/etc/passwd',
    'word/media/in-0.docx',
    'C:\\x.png',
    'a\nb.jpg',
    '-rf',
    '\u0000.png',
  ])('%j is never a path', async (name) => {
    const parts = await done(
      docxOf(
        [],
        [
          { name, content: image, store: true },
          { name: 'x', content: Buffer.alloc(999), store: true },
        ],
      ),
    )
    expect(parts.map(({ content }) => content.length).some((length) => length > 0)).toBe(true)
    expect(parts).toHaveLength(6)
  })
})

describe('an image within a document', () => {
  it('of more pixels than the limit is left as it is [L-package-pixels]', async () => {
    const side = Math.ceil(Math.sqrt(packageLimits.image.sourcePixels)) + 1
    const bomb = await sharp({
      create: { width: side, height: side, channels: 3, background: 'red' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer()
    const parts = await done(shown(bomb))
    expect(parts.find(({ name }) => name.endsWith('.png'))?.content).toEqual(bomb)
  })

  it('of as many pixels as fit becomes small within memory [L-package-pixels]', async () => {
    const large = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const parts = await done(shown(large))
    const small = parts.find(({ name }) => name.endsWith('.png'))?.content
    expect(await sharp(small).metadata()).toMatchObject({ width: 300, height: 300 })
  })

  it('that lies about its size is left as it is [L-package-pixels]', async () => {
    const liar = Buffer.from(await photo(64, 64).png({ compressionLevel: 0 }).toBuffer())
    liar.writeUInt32BE(60_000, 16)
    liar.writeUInt32BE(60_000, 20)
    const parts = await done(shown(liar))
    expect(parts.find(({ name }) => name.endsWith('.png'))?.content).toEqual(liar)
  })

  it.each([
    [
      'SVG',
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/>${' '.repeat(9000)}</svg>`),
    ],
    ['GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(9000)])],
    ['a program of ImageMagick', Buffer.from(`push graphic-context\nimage over 0,0 1,1 '|id'\n${' '.repeat(9000)}`)],
  ])('that is really %s reaches no decoder', async (_, bytes) => {
    const parts = await done(shown(bytes))
    expect(parts.find(({ name }) => name.endsWith('.png'))?.content).toEqual(bytes)
  })
})

describe('a part that describes where images are', () => {
  it('with entities that grow is not expanded, and the image keeps its resolution', async () => {
    const levels = Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')
    const laughs = `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a0 "ha">${levels}]><w:document>&a20;</w:document>`
    const content = docx('', {
      content: laughs,
      relations: [['rId1', 'image', 'media/a.jpg']],
      more: [{ name: 'word/media/a.jpg', content: image, store: true }],
    })
    const parts = await done(content)
    expect(String(parts.find(({ name }) => name === 'word/document.xml')?.content)).toBe(laughs)
    const kept = parts.find(({ name }) => name.endsWith('.jpg'))?.content
    expect(await sharp(kept).metadata()).toMatchObject({ width: 1200 })
  })

  it.each([
    ['too deep', '<a>'.repeat(200_000)],
    ['of one endless tag', `<a ${'b="" '.repeat(400_000)}`],
    ['of references to itself', `<x>${'<a:blip r:embed="rId1"/>'.repeat(200_000)}</x>`],
  ])('%s costs little', async (_, xml) => {
    const content = docx('', {
      content: xml,
      relations: [['rId1', 'image', 'media/a.jpg']],
      more: [{ name: 'word/media/a.jpg', content: image, store: true }],
    })
    const started = performance.now()
    await done(content)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('that leads out of the package leads nowhere', async () => {
    const content = docx('', {
      relations: [
        ['rId1', 'image', '../../../etc/passwd'],
        ['rId2', 'image', 'file:///etc/passwd', true],
        ['rId3', 'image', '%2e%2e/%zz'],
      ],
      more: [{ name: 'word/x.bin', content: Buffer.alloc(9999), store: true }],
    })
    expect(await done(content)).toHaveLength(5)
  })
})
