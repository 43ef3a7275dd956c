import { isFailure } from '@lathe/domain'
import { detectFormat } from '@lathe/formats'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readable } from './decoders.ts'
import { writable } from './encoders.ts'
import { samplePictures, samplePng } from './sample-pictures.ts'

let bench: PlanBench
let samples: Readonly<Record<string, Buffer>>

beforeAll(async () => {
  bench = await openPlanBench()
  samples = await samplePictures(bench)
})
afterAll(() => bench[Symbol.asyncDispose]())

async function convert(from: string, to: string, options: Record<string, unknown> = {}) {
  const content = from === 'png' ? await samplePng() : (samples[from] ?? Buffer.alloc(0))
  return convertBytes(content, { from, to, options })
}

async function convertBytes(
  content: Uint8Array,
  { from, to, options = {} }: { from: string; to: string; options?: Record<string, unknown> },
) {
  const end = await bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })
  if (isFailure(end)) throw new Error(`${from} to ${to}: ${end.code} ${end.text} ${end.detail}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

/** The colours in the middle of the left and the right half. */
async function halves(bytes: Buffer): Promise<readonly (readonly number[])[]> {
  const { data, info } = await sharp(bytes).flatten().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const middle = Math.floor(info.height / 2) * info.width
  return [1, 3].map((quarter) => {
    const at = (middle + Math.floor((info.width * quarter) / 4)) * info.channels
    return [...data.subarray(at, at + Math.min(3, info.channels))]
  })
}

const gray = ['pgm', 'pbm']

describe('every format read', () => {
  it.each(readable)('%s becomes a PNG of the same size and colours', async (from) => {
    const { bytes, warnings } = await convert(from, 'png')
    expect(warnings).toEqual([])
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 160, height: 120 })
    const [left = [], right = []] = await halves(bytes)
    if (gray.includes(from)) return
    // LibRaw brightens a sensor's numbers, so only which colour leads is certain there.
    expect(left[0]).toBeGreaterThan(200)
    expect(left[2]).toBeLessThan(from === 'raw' ? 120 : 40)
    expect(right[2]).toBeGreaterThan(200)
    expect(right[0]).toBeLessThan(from === 'raw' ? 120 : 40)
  })
})

describe('every format written', () => {
  it.each(writable)('%s is what it says, and shows the picture when read again', async (to) => {
    const { bytes } = await convert('png', to)
    // Targa has no signature, so its name is all there is.
    expect(detectFormat(bytes)?.ext).toBe(to)
    const back = await convertBytes(bytes, { from: to, to: 'png' })
    expect(await sharp(back.bytes).metadata()).toMatchObject({ width: 160, height: 120 })
    const [left = [], right = []] = await halves(back.bytes)
    if (gray.includes(to)) return
    expect(left[0]).toBeGreaterThan(200)
    expect(left[2]).toBeLessThan(50)
    expect(right[2]).toBeGreaterThan(200)
    expect(right[0]).toBeLessThan(50)
  })
})
