import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { gifOf } from '../../../../fixtures/attacks/gif.ts'
import { pngOf } from '../../../../fixtures/attacks/png.ts'
import { svgOf } from '../../../../fixtures/attacks/svg.ts'
import { tiffOf } from '../../../../fixtures/attacks/tiff.ts'
import { isWithin, steps } from './steps.ts'

const bench = usePlanBench()

async function endOf(format: string, content: string | Uint8Array, to: string): Promise<string> {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  return end.kind === 'done' ? 'done' : end.code
}

/** Whether a file is refused for its pixels, and not because there is nothing behind its head. */
async function hasTooManyPixels(format: string, content: Uint8Array, to: string): Promise<boolean> {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  return end.kind === 'failure' && end.code === 'limit_exceeded' && /: pixels/.test(end.text ?? '')
}

describe('pixels of a still image, 268,402,689', () => {
  // (n - 1)(n + 1), n squared, and the factors of the next: the head alone is judged. What is let through has no
  // pixels behind its head, so it ends as damaged, or at the memory limit of a decoder that makes room for them first.
  const sides = { [-1]: [16_384, 16_382], 0: [16_383, 16_383], 1: [246_241, 1090] } as const

  it.each(steps)('%s [L-pixels]', async (_, step) => {
    const [width, height] = sides[step]
    expect(width * height).toBe(268_402_689 + step)
    expect(await hasTooManyPixels('png', pngOf({ width, height }), 'jpg')).toBe(!isWithin(step))
  })
})

describe('frames of an animation, 2,000', () => {
  it.each(steps)('%s [L-frames]', async (_, step) => {
    const end = await endOf('gif', gifOf({ width: 1, height: 1, frames: 2000 + step }), 'webp')
    expect(end).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('pixels of all frames, 1,000,000,000', () => {
  // Pages of a TIFF, whose sides may be any number; no pixels behind their heads.
  const shapes = {
    [-1]: { pages: 9, width: 333_667, height: 333 },
    0: { pages: 10, width: 10_000, height: 10_000 },
    1: { pages: 7, width: 52_579, height: 2717 },
  }

  it.each(steps)('%s [L-area]', async (_, step) => {
    const { pages, width, height } = shapes[step]
    expect(pages * width * height).toBe(1_000_000_000 + step)
    const end = await endOf('tiff', tiffOf({ pages, width, height }), 'tiff')
    expect(end).toBe(isWithin(step) ? 'input_damaged' : 'limit_exceeded')
  })
})

describe('bytes of a drawing, 32 MiB', () => {
  it.each(steps)('%s [L-svg-bytes]', async (_, step) => {
    // In pieces: a reader refuses any single part of 10 MB.
    const pieces = `<!--${' '.repeat(1_000_000 - 7)}-->`.repeat(33)
    const rest = 33_554_432 + step - svgOf(pieces).length
    const drawing = svgOf(`${pieces}${' '.repeat(rest)}`)
    expect(drawing.length).toBe(33_554_432 + step)
    expect(await endOf('svg', drawing, 'png')).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('elements of a drawing in one another, 256', () => {
  it.each(steps)('%s [L-svg-depth]', async (_, step) => {
    // The drawing itself is one of them.
    const inside = 255 + step
    const drawing = svgOf(`${'<g>'.repeat(inside)}${'</g>'.repeat(inside)}`)
    expect(await endOf('svg', drawing, 'png')).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('bytes that entities of a drawing stand for, 32 MiB', () => {
  it.each(steps)('%s [L-svg-entities]', async (_, step) => {
    // Each reference counts for 16 more, so that billions of empty ones are too many as well.
    const last = 33_554_432 + step - 33 * 1_000_016 - 16
    const type = `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(1_000_000)}"><!ENTITY b "${'b'.repeat(last)}">]>`
    const drawing = `${type}${svgOf(`${'<desc>&a;</desc>'.repeat(33)}<desc>&b;</desc>`)}`
    expect(await endOf('svg', drawing, 'png')).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})
