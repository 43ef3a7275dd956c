import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'

const bench = usePlanBench()

/** A gray TIFF of one row whose samples are signed bytes. */
function signedTiff(samples: readonly number[]): Buffer {
  const tags = [
    [256, samples.length],
    [257, 1],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, 1],
    [279, samples.length],
    // Two's complement.
    [339, 2],
  ]
  const pixels = Buffer.from(Int8Array.from(samples).buffer)
  const head = Buffer.from([0x49, 0x49, 42, 0, 8 + pixels.length, 0, 0, 0])
  const entries = tags.map(([tag = 0, value = 0]) => {
    const entry = Buffer.alloc(12)
    entry.writeUInt16LE(tag, 0)
    entry.writeUInt16LE(3, 2)
    entry.writeUInt32LE(1, 4)
    entry.writeUInt16LE(value, 8)
    return entry
  })
  return Buffer.concat([head, pixels, Buffer.from([tags.length, 0]), ...entries, Buffer.alloc(4)])
}

describe('a TIFF with signed samples', () => {
  it('is shown by its bytes, as other programs do; libvips alone would make half of them black', async () => {
    const content = signedTiff([0, 64, -128, -64, -1, 0, 0, 0])
    const end = await bench.run({ operation: 'convert', sources: [{ format: 'tiff', content }], to: 'png' })
    if (isFailure(end)) throw new Error(end.detail ?? end.code)
    const gray = await sharp(end.files[0]?.bytes).greyscale().raw().toBuffer()
    const [darkest = 0, dark = 0, middle = 0, light = 0, lightest = 0] = gray
    expect(darkest).toBeLessThan(dark)
    expect(dark).toBeLessThan(middle)
    expect(middle).toBeLessThan(light)
    expect(light).toBeLessThan(lightest)
  })
})
