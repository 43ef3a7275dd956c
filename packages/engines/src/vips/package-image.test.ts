import { describe, expect, it } from 'vitest'
import { photo } from '../../../../fixtures/photo.ts'

interface Limits {
  readonly sourcePixels: number
  readonly pixels: number
}

const { reduceImage } = (await import(new URL('./package-image.mjs', import.meta.url).href)) as {
  reduceImage(original: Buffer, shown: undefined, how: object, limits: Limits): Promise<Buffer | undefined>
}

const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

// Tests smaller limits than the real ones: the same code compares them.
async function isReduced(limits: Limits): Promise<boolean> {
  const original = await photo(300, 200, { grain: 6 }).jpeg({ quality: 98 }).toBuffer()
  return (await reduceImage(original, undefined, { quality: 60, similarity: 0.5 }, limits)) !== undefined
}

describe('pixels of an image in a document to compress, 150,000,000', () => {
  it.each(steps)('%s [L-package-pixels]', async (_, step) => {
    expect(await isReduced({ sourcePixels: 60_000 - step, pixels: 60_000 })).toBe(step <= 0)
  })
})

describe('pixels of an image in a compressed document, 40,000,000', () => {
  it.each(steps)('%s [L-package-result-pixels]', async (_, step) => {
    expect(await isReduced({ sourcePixels: 60_000, pixels: 60_000 - step })).toBe(step <= 0)
  })
})
