import { readFileSync } from 'node:fs'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'
import { chooseFrame } from '../ffmpeg/plan-thumbnail.ts'
import { makeEpub, makeFb2 } from '../testing/sample-books.ts'
import { makeMobi } from '../testing/sample-mobi.ts'
import { samplePdf } from '../testing/sample-pdf.ts'

sharp.cache(false)

const bench = usePlanBench()

async function make(
  source: { format: string; content: Uint8Array },
  options: Record<string, unknown> = {},
  to = 'jpg',
) {
  const end = await bench.run({ operation: 'thumbnail', sources: [source], to, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  expect(end.files).toHaveLength(1)
  const bytes = end.files[0]?.bytes ?? Buffer.alloc(0)
  const { width, height, format } = await sharp(bytes).metadata()
  return { bytes, width, height, format }
}

const fixture = (name: FixtureName) => ({
  format: name.split('.').at(-1) ?? '',
  content: readFileSync(fixturePath(name)),
})

describe('a thumbnail', () => {
  it.each([
    'photo-100k.jpg',
    'alpha.png',
    'photo.webp',
    'photo.avif',
    'pages.tiff',
    'text.svg',
    'halves.xcf',
    'clip.mp4',
    'letter.docx',
    'slides.odp',
    'table.xlsx',
    'two-pages.pdf',
    'drawing.odg',
  ] as const)('of %s fits into the usual box', async (name) => {
    const { width = 0, height = 0, format } = await make(fixture(name))
    expect(format).toBe('jpeg')
    expect(Math.max(width, height)).toBe(320)
  })

  it.each(['png', 'webp'])('may be %s, of another size', async (to) => {
    const { width = 0, height = 0, format } = await make(fixture('photo-100k.jpg'), { width: 100, height: 50 }, to)
    expect(format).toBe(to)
    expect([width <= 100, height]).toEqual([true, 50])
  })

  it('shows the page asked for', async () => {
    const source = { format: 'pdf', content: await samplePdf() }
    const [first, third] = [await make(source), await make(source, { page: 3 })]
    expect(first.bytes.equals(third.bytes)).toBe(false)
    const end = await bench.run({ operation: 'thumbnail', sources: [source], to: 'jpg', options: { page: 4 } })
    expect(end).toMatchObject({ code: 'unsupported' })
  })

  it('of a recording is its waveform', async () => {
    const { bytes, width, height } = await make(fixture('tone.flac'), {}, 'png')
    expect([width, height]).toEqual([320, 80])
    // The thumbnail contains both drawn content and background.
    const { channels } = await sharp(bytes).stats()
    expect([channels[0]?.min, channels[0]?.max]).toEqual([expect.any(Number), 255])
    expect(channels[0]?.min).toBeLessThan(128)
  })

  it('of a video is no black frame', async () => {
    const parts = 'color=black:s=320x240:d=4:r=10[a];testsrc=s=320x240:d=4:r=10[b];[a][b]concat'
    const args = ['-f', 'lavfi', '-i', parts, '-g', '10', '-pix_fmt', 'yuv420p', '-y', 'dark.mp4']
    const { outputs } = await bench.tool('ffmpeg', args, { outputs: ['dark.mp4'] })
    const source = { format: 'mp4', content: outputs['dark.mp4'] ?? Buffer.alloc(0) }
    const chosen = await sharp((await make(source)).bytes).stats()
    expect(chosen.channels[0]?.mean).toBeGreaterThan(40)
    const asked = await sharp((await make(source, { time: '1' })).bytes).stats()
    expect(asked.channels[0]?.mean).toBeLessThan(10)
  })
})

/** The share of pixels that are as blue as the covers of these tests. */
async function blueShare(source: { format: string; content: Uint8Array }): Promise<number> {
  const { bytes } = await make(source)
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixels = Array.from({ length: info.width * info.height }, (_, n) => data.subarray(3 * n, 3 * n + 3))
  return pixels.filter(([r = 0, g = 0, b = 0]) => r < 60 && g < 60 && b > 200).length / pixels.length
}

describe('a thumbnail of a book', () => {
  const cover = { create: { width: 400, height: 600, channels: 3, background: '#0000ff' } } as const
  const books = async () => {
    const image = await sharp(cover).png().toBuffer()
    const words = '<html><body><p>words</p></body></html>'
    const fb2 = makeFb2()
      .replace('<lang>', '<coverpage><image l:href="#front"/></coverpage><lang>')
      .replace('<binary', `<binary id="front" content-type="image/png">${image.toString('base64')}</binary><binary`)
    return {
      epub: makeEpub({ cover: image }),
      fb2: Buffer.from(fb2),
      mobi: makeMobi({ text: words, images: [image], about: { 201: Buffer.alloc(4) } }),
    }
  }

  it.each(['epub', 'fb2', 'mobi'] as const)('(%s) is its cover', async (format) => {
    expect(await blueShare({ format, content: (await books())[format] })).toBeGreaterThan(0.9)
  })

  it('without a cover shows how it begins', async () => {
    const content = makeEpub()
    const { bytes, width = 0, height = 0 } = await make({ format: 'epub', content })
    expect(height / width).toBeCloseTo(Math.SQRT2, 1)
    const { channels } = await sharp(bytes).stats()
    expect([channels[0]?.min ?? 255, channels[0]?.max]).toEqual([expect.closeTo(0, -2), 255])
  })

  it('shows another page on request', async () => {
    const content = (await books()).epub
    const [first, second] = [
      await make({ format: 'epub', content }),
      await make({ format: 'epub', content }, { page: 2 }),
    ]
    expect(first.bytes.equals(second.bytes)).toBe(false)
  })
})

it.each([
  ['md', Buffer.from('# Title\n\nSome *words* in Markdown.')],
  ['eml', readFileSync(fixturePath('message.eml'))],
  ['mhtml', readFileSync(fixturePath('page.mhtml'))],
  ['tsv', Buffer.from('one\ttwo\n1\t2\n')],
] as const)('a thumbnail of %s is its first page', async (format, content) => {
  const { bytes, width = 0, height = 0 } = await make({ format, content })
  expect(Math.max(width, height)).toBe(320)
  expect((await sharp(bytes).stats()).channels[0]?.min).toBeLessThan(150)
})

describe('the frame that is chosen', () => {
  const frame = (time: number, yavg: number, spread: number, blur: number) =>
    `frame:${time} pts:1 pts_time:${time}\nlavfi.signalstats.YLOW=${yavg - spread}\nlavfi.signalstats.YAVG=${yavg}\nlavfi.signalstats.YHIGH=${yavg + spread}\nlavfi.blur=${blur}\n`

  it('is the first that is neither dark nor uniform, unless a later one is much sharper', () => {
    const report = frame(0, 16, 0, 1) + frame(1, 120, 60, 6) + frame(2, 120, 60, 5.9) + frame(3, 120, 60, 3)
    expect(chooseFrame(report)).toBe(3)
    expect(chooseFrame(frame(0, 16, 0, 1) + frame(1, 120, 60, 6) + frame(2, 120, 60, 5.9))).toBe(1)
  })

  it('is the one with most detail if all are dark, and the first if nothing is known', () => {
    expect(chooseFrame(frame(0, 16, 0, 1) + frame(5, 20, 8, 2) + frame(9, 16, 1, 1))).toBe(5)
    expect(chooseFrame('')).toBe(0)
    expect(chooseFrame('frame:x\nYAVG=NaN')).toBe(0)
  })
})
