import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'

const bench = usePlanBench()

const green = { r: 0, g: 128, b: 0 }
const picture = (width = 400, height = 300) => sharp({ create: { width, height, channels: 3, background: green } })
const logo = {
  format: 'svg',
  content:
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="#f00"/></svg>',
}

interface Asked {
  readonly options?: Readonly<Record<string, unknown>>
  readonly overlay?: { readonly format: string; readonly content: string | Uint8Array }
}

async function mark(format: string, content: Uint8Array, { options = {}, overlay }: Asked): Promise<Buffer> {
  const roles = overlay ? { overlay } : {}
  const end = await bench.run({ operation: 'watermark', sources: [{ format, content }], roles, to: format, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text} ${end.detail}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

/** The area of an image that is not green: left, top, right and bottom edge. */
async function changedArea(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const area = { left: info.width, top: info.height, right: -1, bottom: -1 }
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      const at = (y * info.width + x) * info.channels
      const isSame = [0, 128, 0].every((value, n) => Math.abs((data[at + n] ?? 0) - value) < 24)
      if (isSame) continue
      area.left = Math.min(area.left, x)
      area.right = Math.max(area.right, x)
      area.top = Math.min(area.top, y)
      area.bottom = Math.max(area.bottom, y)
    }
  }
  return area
}

describe('a watermark on an image', () => {
  it('has the requested width and position', async () => {
    const png = await picture().png().toBuffer()
    const options = { position: 'bottom_right', size: 25, margin: 10, opacity: 100 }
    expect(await changedArea(await mark('png', png, { overlay: logo, options }))).toEqual({
      left: 270,
      top: 220,
      right: 369,
      bottom: 269,
    })
  })

  it.each(['jpg', 'webp', 'tiff', 'bmp'])('is there in %s, over the middle by default', async (format) => {
    const png = await picture().png().toBuffer()
    const made = await bench.run({ operation: 'convert', sources: [{ format: 'png', content: png }], to: format })
    const source = isFailure(made) ? undefined : made.files[0]?.bytes
    const marked = await mark(format, source ?? Buffer.alloc(0), { options: { text: 'Draft', opacity: 100 } })
    const back = await bench.run({ operation: 'convert', sources: [{ format, content: marked }], to: 'png' })
    const { left, right, top, bottom } = await changedArea((!isFailure(back) && back.files[0]?.bytes) || png)
    expect([Math.abs(left + right - 400) < 30, Math.abs(top + bottom - 300) < 30]).toEqual([true, true])
    expect(right - left).toBeGreaterThan(100)
  })

  it('brings no transparency into a format that has none', async () => {
    const png = await picture().png().toBuffer()
    const made = await bench.run({ operation: 'convert', sources: [{ format: 'png', content: png }], to: 'pcx' })
    const source = (!isFailure(made) && made.files[0]?.bytes) || Buffer.alloc(0)
    const marked = await mark('pcx', source, { options: { text: 'Draft' } })
    // The number of color planes: readers do not support a fourth.
    expect([source[65], marked[65]]).toEqual([3, 3])
  })

  it('lets through as much as asked', async () => {
    const png = await picture().png().toBuffer()
    const half = await mark('png', png, { overlay: logo, options: { opacity: 50, size: 100, margin: 0 } })
    const [red = 0, greens = 0] = await sharp(half).removeAlpha().raw().toBuffer()
    const { data } = await sharp(half)
      .extract({ left: 200, top: 150, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([red, greens]).toEqual([0, 128])
    expect(Math.abs((data[0] ?? 0) - 128)).toBeLessThan(4)
  })

  it('is repeated all over, on every frame of an animation', async () => {
    // Equal frames would be merged into one.
    const dot = await picture(2, 2).negate().png().toBuffer()
    const frames = await Promise.all(
      [picture(80, 60), picture(80, 60).composite([{ input: dot, left: 0, top: 0 }])].map((one) =>
        one.png().toBuffer(),
      ),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    const marked = await mark('gif', gif, { overlay: logo, options: { position: 'tile', size: 20, opacity: 100 } })
    for (const page of [0, 1]) {
      const { left, right, top, bottom } = await changedArea(await sharp(marked, { page }).png().toBuffer())
      expect([left < 10, top < 10, right > 70, bottom > 50]).toEqual([true, true, true, true])
    }
  })
})

describe('a watermark on a page', () => {
  const page = (turn: number) => `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Rotate ${turn}/Contents 4 0 R/Resources<<>>>>endobj
4 0 obj<</Length 34>>stream
0 0.502 0 rg 0 0 400 300 re f 3 w
endstream endobj
5 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/Resources<<>>>>endobj
trailer<</Root 1 0 R>>`

  it.each([0, 90, 180, 270])('stands upright at its place, turned by %i degrees', async (turn) => {
    const options = { position: 'top_left', size: 25, margin: 0, opacity: 100, pages: '1' }
    const pdf = await mark('pdf', Buffer.from(page(turn)), { overlay: logo, options })
    const drawn = await bench.run({
      operation: 'convert',
      sources: [{ format: 'pdf', content: pdf }],
      to: 'png',
      options: { dpi: 72 },
    })
    if (isFailure(drawn)) throw new Error(drawn.text)
    const [first, second] = await Promise.all(drawn.files.map(({ bytes }) => changedArea(bytes)))
    const width = turn % 180 === 0 ? 100 : 75
    expect(first).toMatchObject({ left: 0, top: 0 })
    expect([Math.abs((first?.right ?? 0) - width) < 3, Math.abs((first?.bottom ?? 0) - width / 2) < 3]).toEqual([
      true,
      true,
    ])
    expect(second?.right).toBe(-1)
  })
})

describe('a watermark on a video', () => {
  it('is on every frame, and the audio stays', async () => {
    const { outputs } = await bench.tool(
      'ffmpeg',
      [
        ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'color=0x008000:s=160x120:d=1:r=5', '-f', 'lavfi'],
        ...['-i', 'sine=d=1', '-pix_fmt', 'yuv420p', '-shortest', 'out.mp4'],
      ],
      { outputs: ['out.mp4'] },
    )
    const options = { position: 'right', size: 50, opacity: 100, margin: 0 }
    const content = await mark('mp4', outputs['out.mp4'] ?? Buffer.alloc(0), { overlay: logo, options })
    for (const start of [0, 0.8]) {
      const sources = [{ format: 'mp4', content }]
      const still = await bench.run({ operation: 'convert', sources, to: 'png', options: { time: String(start) } })
      const area = await changedArea((!isFailure(still) && still.files[0]?.bytes) || Buffer.alloc(0))
      expect([Math.abs(area.left - 80) < 4, area.right > 156, Math.abs(area.top - 40) < 4]).toEqual([true, true, true])
    }
    const probe = await bench.tool('ffprobe', ['-show_entries', 'stream=codec_type', '-of', 'csv=p=0', 'in.mp4'], {
      files: { 'in.mp4': content },
    })
    expect(probe.stdout.trim().split('\n').sort()).toEqual(['audio', 'video'])
  })
})

describe('what cannot be placed', () => {
  it('is said of the overlay', async () => {
    const content = await picture().png().toBuffer()
    const overlay = { format: 'png', content: 'no picture' }
    await expect(mark('png', content, { overlay })).rejects.toThrow(/^Error: input_damaged|input_damaged/)
  })
})
