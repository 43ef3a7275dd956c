import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPictureAttacks, type PictureAttacks } from '../testing/picture-attacks.ts'

let given: PictureAttacks
beforeAll(async () => {
  given = await openPictureAttacks()
})
afterAll(() => given[Symbol.asyncDispose]())

describe('B02 pixel bombs', () => {
  const bombs: readonly (readonly [string, string, () => Buffer])[] = [
    ['a PNM of 65,535 squared', 'ppm', () => Buffer.from('P6 65535 65535 255\n')],
    ['a PNM of one very wide row', 'pgm', () => Buffer.from('P5 268402690 1 255\n')],
    [
      'a PAM',
      'pam',
      () => Buffer.from('P7\nWIDTH 65535\nHEIGHT 65535\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n'),
    ],
    [
      'a BMP',
      'bmp',
      () =>
        patched('bmp', [
          [18, 4, 60_000],
          [22, 4, 60_000],
        ]),
    ],
    [
      'a Targa',
      'tga',
      () =>
        patched('tga', [
          [12, 2, 65_535],
          [14, 2, 65_535],
        ]),
    ],
    [
      'a Photoshop document',
      'psd',
      () =>
        patched('psd', [
          [14, -4, 29_000],
          [18, -4, 29_000],
        ]),
    ],
    [
      'a DirectDraw surface',
      'dds',
      () =>
        patched('dds', [
          [12, 4, 60_000],
          [16, 4, 60_000],
        ]),
    ],
    ['a Radiance picture', 'hdr', () => Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 65535 +X 65535\n')],
    [
      'a GIMP image',
      'xcf',
      () =>
        patched('xcf', [
          [14, -4, 60_000],
          [18, -4, 60_000],
        ]),
    ],
    ['a JPEG 2000', 'jp2', () => hugeJp2()],
    ['an SGI image', 'sgi', () => patched('sgi', sides(6, -2, 65_535))],
    ['a Sun raster', 'ras', () => patched('ras', sides(4, -4, 60_000))],
    ['a QOI', 'qoi', () => patched('qoi', sides(4, -4, 60_000))],
    ['an animation', 'fli', () => patched('fli', sides(8, 2, 65_535))],
    ['a page of Paintbrush', 'dcx', () => patched('dcx', sides(20, 2, 65_535))],
    ['a float map', 'pfm', () => Buffer.from('Pf\n65535 65535\n-1.0\n')],
    [
      'a telescope',
      'fits',
      () => Buffer.from(String(given.samples.fits).replace(/ {2}160(.{57,77}) {2}120/s, '99999$199999')),
    ],
    ['a cursor with a bitmap of 65,535 squared', 'cur', () => hugeCursor()],
  ]

  it.each(bombs)('B02: %s is refused from its header', async (_, format, bomb) => {
    const started = performance.now()
    const { code } = await given.convert(bomb(), format)
    expect(['limit_exceeded', 'input_damaged']).toContain(code)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('B02: a header within the limit with nothing behind it ends soon', async () => {
    const { code } = await given.convert('P6 8000 8000 255\n', 'ppm')
    expect(['input_damaged', 'limit_exceeded', 'engine_crashed']).toContain(code)
    await given.stillWorks()
  })

  it('B02: an image made huge by its options is refused before it is made', async () => {
    expect((await given.convert(await narrow(), 'png', { to: 'bmp', options: { width: 16_383 } })).code).toBe(
      'limit_exceeded',
    )
  })
})

describe('B03 images with endless frames', () => {
  it('B03: an icon that promises 65,535 sizes is refused', async () => {
    const head = Buffer.alloc(6)
    head.writeUInt16LE(1, 2)
    head.writeUInt16LE(65_535, 4)
    const entry = Buffer.from([16, 16, 0, 0, 1, 0, 32, 0, 0x68, 4, 0, 0, 22, 0, 0, 0])
    const icon = Buffer.concat([head, ...Array.from({ length: 65_535 }, () => entry)])
    expect(['limit_exceeded', 'input_damaged']).toContain((await given.convert(icon, 'ico')).code)
  })

  it('B03: a PNM of 2,001 images is too long for ImageMagick, and the next decoder reads its first alone', async () => {
    const many = Buffer.concat(Array.from({ length: 2001 }, () => Buffer.from('P5 1 1 255\n\0', 'latin1')))
    const { code, bytes } = await given.convert(many, 'pgm')
    expect(code).toBe('done')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1, height: 1 })
  })
})

/** Patches for width and height, which are adjacent. */
function sides(at: number, bytes: number, value: number): [number, number, number][] {
  return [
    [at, bytes, value],
    [at + Math.abs(bytes), bytes, value],
  ]
}

function hugeCursor(): Buffer {
  const bitmap = Buffer.alloc(176)
  bitmap.writeUInt32LE(40, 0)
  bitmap.writeUInt32LE(65_535, 4)
  bitmap.writeUInt32LE(65_535, 8)
  bitmap.writeUInt16LE(1, 12)
  bitmap.writeUInt16LE(1, 14)
  const entry = Buffer.from([16, 16, 2, 0, 1, 0, 1, 0, 176, 0, 0, 0, 22, 0, 0, 0])
  return Buffer.concat([Buffer.from([0, 0, 2, 0, 1, 0]), entry, bitmap])
}

function narrow(): Promise<Buffer> {
  return sharp({ create: { width: 1, height: 20_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
}

/** A sample with changed numbers in its header: offset, bytes (negative: big-endian), value. */
function patched(format: string, numbers: readonly (readonly [number, number, number])[]): Buffer {
  const bytes = Buffer.from(given.samples[format] ?? Buffer.alloc(0))
  for (const [at, width, value] of numbers) {
    if (width < 0) bytes.writeUIntBE(value, at, -width)
    else bytes.writeUIntLE(value, at, width)
  }
  return bytes
}

/** A JPEG 2000 file whose boxes and code stream both claim 65,535 x 65,535 pixels. */
function hugeJp2(): Buffer {
  const bytes = Buffer.from(given.samples.jp2 ?? Buffer.alloc(0))
  const box = bytes.indexOf('ihdr') + 4
  bytes.writeUInt32BE(65_535, box)
  bytes.writeUInt32BE(65_535, box + 4)
  const size = bytes.indexOf(Buffer.from([0xff, 0x51])) + 6
  for (const at of [0, 4, 16, 20]) bytes.writeUInt32BE(65_535, size + at)
  return bytes
}
