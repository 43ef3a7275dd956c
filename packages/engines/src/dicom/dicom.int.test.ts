import { randomBytes } from 'node:crypto'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { sampleDicom } from '../testing/sample-dicom.ts'

const bench = usePlanBench()

const run = (content: Buffer | string, to = 'png', options = {}) =>
  bench.run({ operation: 'convert', sources: [{ format: 'dcm', content }], to, options })

async function convert(content: Buffer, to = 'png', options = {}) {
  const end = await run(content, to, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return end.files.map(({ bytes }) => bytes)
}

/** The gray values of the first row. */
async function rowOf(image: Buffer | undefined): Promise<readonly number[]> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, info.width)]
}

/** A DICOM file that DCMTK creates from an image. */
async function fromImage(ext: string, ...compress: string[]): Promise<Buffer> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48', '-frames:v', '1', `a.${ext}`]
  const drawn = await bench.tool('ffmpeg', ['-nostdin', '-v', 'error', ...picture], { outputs: [`a.${ext}`] })
  const kind = ext === 'bmp' ? ['-i', 'BMP'] : []
  const made = await bench.tool('img2dcm', [...kind, `a.${ext}`, 'a.dcm'], { files: drawn.outputs, outputs: ['a.dcm'] })
  const [program, ...args] = compress
  if (program === undefined) return made.outputs['a.dcm'] ?? Buffer.alloc(0)
  const packed = await bench.tool(program, [...args, 'a.dcm', 'b.dcm'], { files: made.outputs, outputs: ['b.dcm'] })
  return packed.outputs['b.dcm'] ?? Buffer.alloc(0)
}

describe('a DICOM image', () => {
  it.each([
    ['png', 'png'],
    ['jpg', 'jpeg'],
    ['tiff', 'tiff'],
  ])('becomes %s', async (to, format) => {
    const [image] = await convert(sampleDicom(), to)
    expect(await sharp(image).metadata()).toMatchObject({ format, width: 16, height: 12 })
    const row = await rowOf(image)
    expect(row[0]).toBeLessThan(8)
    expect(row.at(-1)).toBeGreaterThan(247)
  })

  it('becomes a bitmap', async () => {
    const [image] = await convert(sampleDicom(), 'bmp')
    expect(image?.subarray(0, 2).toString()).toBe('BM')
    expect(image?.readUInt32LE(18)).toBe(16)
  })

  it('is shown in the window of the file, or in that of its values', async () => {
    // Half of the values are above the window and become white.
    const content = sampleDicom({ bits: 16, window: [16_384, 32_768] })
    const inside = await rowOf((await convert(content))[0])
    expect(inside.slice(9)).toEqual(inside.slice(9).map(() => 255))
    const whole = await rowOf((await convert(content, 'png', { window: 'min-max' }))[0])
    expect(Math.abs((whole[8] ?? 0) - 136)).toBeLessThan(4)
  })

  it('of several frames is several files, or one of them', async () => {
    const content = sampleDicom({ frames: 12 })
    expect(await convert(content)).toHaveLength(12)
    expect(await convert(content, 'jpg', { frame: 12 })).toHaveLength(1)
    expect(await run(content, 'png', { frame: 13 })).toMatchObject({ code: 'unsupported' })
  })

  it('is displayed with correct brightness if it is stored inverted', async () => {
    const row = await rowOf((await convert(sampleDicom({ photometric: 'MONOCHROME1' })))[0])
    expect(row[0]).toBeGreaterThan(row.at(-1) ?? 255)
  })

  it('carries no name of a patient', async () => {
    for (const to of ['png', 'jpg', 'tiff', 'bmp']) {
      const [image] = await convert(sampleDicom({ patient: 'Private^Name' }), to)
      expect(image?.includes('Private')).toBe(false)
    }
  })

  it.each([
    ['bmp', []],
    ['jpg', []],
    ['bmp', ['dcmcjpeg', '+e1']],
    ['bmp', ['dcmcjpls']],
    ['bmp', ['dcmcrle']],
  ])(
    'that DCMTK made of %s, packed by %j, is as the bare tool shows it',
    { timeout: 60_000 },
    async (ext, compress) => {
      const content = await fromImage(ext, ...compress)
      const [ours] = await convert(content)
      const files = { 'a.dcm': content }
      const bare = await bench.tool('dcm2img', ['--write-png', 'a.dcm', 'a.png'], { files, outputs: ['a.png'] })
      expect(await sharp(ours).raw().toBuffer()).toEqual(await sharp(bare.outputs['a.png']).raw().toBuffer())
      expect(await sharp(ours).metadata()).toMatchObject({ width: 64, height: 48 })
    },
  )
})

describe('hostile DICOM files', () => {
  it('that are none, cut or noise are refused', { timeout: 60_000 }, async () => {
    const good = sampleDicom({ frames: 20 })
    const noisy = Buffer.concat([good.subarray(0, 140), randomBytes(2000)])
    const cuts = [0, 131, 150, 300, 400, good.length - 100].map((at) => good.subarray(0, at))
    for (const content of [Buffer.from('no image'), randomBytes(4000), noisy, ...cuts]) {
      const end = await run(content)
      expect(isFailure(end) && ['input_damaged', 'unsupported'].includes(end.code)).toBe(true)
    }
  })

  it('of huge sizes and counts are refused before they are read', { timeout: 60_000 }, async () => {
    const pixels = Buffer.alloc(10)
    expect(await run(sampleDicom({ columns: 65_535, rows: 65_535, pixels }))).toMatchObject({ code: 'limit_exceeded' })
    expect(await run(sampleDicom({ frames: 999_999_999, pixels }))).toMatchObject({ code: 'limit_exceeded' })
    const lie = sampleDicom({ columns: 9000, rows: 9000, frames: 3, pixels })
    expect(await run(lie)).toMatchObject({ code: 'input_damaged' })
  })

  it('with damaged compressed pixels are refused', { timeout: 60_000 }, async () => {
    for (const syntax of ['4.50', '4.70', '4.80', '5']) {
      const content = sampleDicom({ transferSyntax: `1.2.840.10008.1.2.${syntax}`, pixels: randomBytes(500) })
      const end = await run(content)
      expect(isFailure(end) ? end.code : end.kind).toBe('input_damaged')
    }
  })

  it('stored as JPEG 2000 are refused by name', async () => {
    const content = sampleDicom({ transferSyntax: '1.2.840.10008.1.2.4.90', pixels: randomBytes(500) })
    expect(await run(content)).toMatchObject({ code: 'unsupported', text: expect.stringContaining('JPEG 2000') })
  })

  it('take no option but the listed ones', async () => {
    for (const options of [{ window: '+Wm' }, { window: '../x' }, { frame: '1; id' }, { frame: 0 }, { quality: 101 }]) {
      expect(await run(sampleDicom(), 'jpg', options)).toMatchObject({ code: 'unsupported' })
    }
  })
})
