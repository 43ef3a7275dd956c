import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'

const bench = usePlanBench()

interface Version {
  readonly format: string
  readonly content: string | Uint8Array
}

async function compare(one: Version, other: Version, to = 'json', options = {}) {
  const end = await bench.run({ operation: 'compare', sources: [one], roles: { other }, to, options })
  if (isFailure(end)) return `${end.code}: ${end.text}`
  return { files: end.files.map(({ bytes }) => bytes), warnings: end.warnings }
}

async function report(one: Version, other: Version, options = {}): Promise<Record<string, unknown>> {
  const end = await compare(one, other, 'json', options)
  if (typeof end === 'string') throw new Error(end)
  return JSON.parse(String(end.files[0])) as Record<string, unknown>
}

const white = { width: 100, height: 80, channels: 3, background: '#ffffff' } as const
const blank = () => sharp({ create: white })
const dot = { input: { create: { ...white, width: 20, height: 10, background: '#000000' } }, left: 30, top: 40 }
const png = async (image: Sharp): Promise<Version> => ({ format: 'png', content: await image.png().toBuffer() })

describe('two images', () => {
  it('that are the same are identical, in whatever format', async () => {
    const jpg = { format: 'jpg', content: await blank().jpeg().toBuffer() }
    expect(await report(await png(blank()), jpg)).toMatchObject({
      identical: true,
      kind: 'image',
      similarity: 1,
      pages: [{ changed: 0, width: 100, height: 80, otherWidth: 100, otherHeight: 80 }],
    })
  })

  it('that differ return how much, and show where', async () => {
    const [one, other] = [await png(blank()), await png(blank().composite([dot]))]
    const found = await report(one, other)
    expect(found).toMatchObject({ identical: false, pages: [{ page: 1, changed: 200 / 8000 }] })
    expect(found.similarity).toBeLessThan(0.9)
    const end = await compare(one, other, 'png')
    const { data, info } = await sharp(typeof end === 'string' ? undefined : end.files[0])
      .raw()
      .toBuffer({ resolveWithObject: true })
    const isRed = (x: number, y: number) => (data[(y * info.width + x) * info.channels + 1] ?? 255) < 100
    expect([isRed(29, 40), isRed(30, 40), isRed(49, 49), isRed(50, 49)]).toEqual([false, true, true, false])
  })

  it('of different sizes differ outside the smaller one', async () => {
    const small = await png(sharp({ create: { ...white, width: 50 } }))
    expect(await report(await png(blank()), small)).toMatchObject({
      identical: false,
      pages: [{ changed: 0.5, otherWidth: 50 }],
    })
  })

  it('are identical within the tolerance', async () => {
    const grey = await png(sharp({ create: { ...white, background: '#f5f5f5' } }))
    expect(await report(await png(blank()), grey)).toMatchObject({ identical: true })
    expect(await report(await png(blank()), grey, { tolerance: 5 })).toMatchObject({ identical: false })
  })
})

const pdf = (...pages: string[]): Version => {
  const kids = pages.map((_, n) => `${10 + 2 * n} 0 R`).join(' ')
  const objects = pages.map((text, n) => {
    const stream = `BT /F 20 Tf 20 100 Td (${text}) Tj ET`
    return `${10 + 2 * n} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents ${11 + 2 * n} 0 R/Resources<</Font<</F 3 0 R>>>>>>endobj
${11 + 2 * n} 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj`
  })
  const content = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
${objects.join('\n')}
trailer<</Root 1 0 R>>`
  return { format: 'pdf', content }
}

describe('two PDF files', () => {
  it('are compared page by page, and by their text', async () => {
    const found = await report(pdf('First page', 'Second page'), pdf('First page', 'Another page'))
    expect(found).toMatchObject({
      identical: false,
      kind: 'pdf',
      pageCount: 2,
      otherPageCount: 2,
      pages: [{ page: 1, changed: 0, similarity: 1 }, { page: 2 }],
      text: { linesRemoved: 1, linesAdded: 1, changes: [{ line: 2, removed: 'Second page', added: 'Another page' }] },
    })
    const [, second] = found.pages as { changed: number; similarity: number }[]
    expect([second?.changed ?? 0, 1 - (second?.similarity ?? 1)]).toEqual([expect.any(Number), expect.any(Number)])
    expect(second?.changed).toBeGreaterThan(0)
    expect(found.similarity).toBe(second?.similarity)
  })

  it('of other numbers of pages are not identical, and the result says so', async () => {
    const [long, short] = [pdf('A', 'B', 'C'), pdf('A', 'B')]
    expect(await report(long, short)).toMatchObject({ identical: false, pageCount: 3, otherPageCount: 2 })
    const end = await compare(long, short, 'png')
    expect(typeof end === 'string' ? end : [end.files.length, end.warnings.at(-1)]).toEqual([
      2,
      'One file has 3 pages, the other has 2.',
    ])
  })
})

describe('two texts', () => {
  it('are compared by their lines', async () => {
    const text = (content: string): Version => ({ format: 'txt', content })
    expect(await report(text('a\nb\nc\n'), text('a\nc\nd\n'))).toEqual({
      identical: false,
      kind: 'text',
      text: {
        linesRemoved: 1,
        linesAdded: 1,
        changes: [
          { line: 2, removed: 'b', added: '' },
          { line: 4, removed: '', added: 'd' },
        ],
      },
    })
    expect(await report(text('same'), text('same\n'))).toMatchObject({ identical: true })
  })

  it('are not compared with an image', async () => {
    expect(await compare({ format: 'txt', content: 'a' }, await png(blank()))).toMatch(/^unsupported: Compare an image/)
  })
})

const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

describe('pages of a PDF to compare, 100', () => {
  it.each(steps)('%s [L-compare-pages]', async (_, more) => {
    const end = await compare(pdf(...Array.from({ length: 100 + more }, () => '')), pdf(''))
    if (more > 0) expect(end).toMatch(/^limit_exceeded/)
    else expect(end).toMatchObject({ files: [expect.any(Buffer)] })
  })
})

describe('lines of a text to compare, 50,000', () => {
  it.each(steps)('%s [L-compare-lines]', async (_, more) => {
    const many = { format: 'txt', content: 'x\n'.repeat(50_000 + more) }
    const end = await compare(many, many)
    if (more > 0) expect(end).toMatch(/^limit_exceeded/)
    else expect(end).toMatchObject({ files: [expect.any(Buffer)] })
  })
})
