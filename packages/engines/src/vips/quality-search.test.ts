import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

interface Try {
  readonly quality: number
  readonly score: number
  readonly bytes: Buffer
}

// A script of the runner, which has no types.
const script = new URL('./quality-search.mjs', import.meta.url).href
const { searchQuality } = (await import(script)) as {
  searchQuality(search: object, attempt: (quality: number) => Promise<Try>): Promise<Try | undefined>
}

const range = { from: 5, to: 98, start: 70, target: 97, tries: 6 }

/** An encoder whose loss shrinks with its quality, and which records the qualities it was called with. */
function encoder(lossAt: (quality: number) => number) {
  const asked: number[] = []
  const attempt = async (quality: number): Promise<Try> => {
    asked.push(quality)
    return { quality, score: 100 - lossAt(quality), bytes: Buffer.alloc(quality) }
  }
  return { asked, attempt }
}

describe('the search for a quality', () => {
  it('finds the lowest that is good enough, or one close to it', async () => {
    const { asked, attempt } = encoder((quality) => 20 * Math.exp(-0.04 * quality))
    const found = await searchQuality(range, attempt)
    // 47.4 reaches the target exactly.
    expect(found?.quality).toBeGreaterThanOrEqual(48)
    expect(found?.quality).toBeLessThanOrEqual(51)
    expect(asked.length).toBeLessThanOrEqual(range.tries)
  })

  it('never returns what is not good enough, and tries nothing outside the range', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.1, max: 60, noNaN: true }),
        fc.double({ min: 0.001, max: 0.2, noNaN: true }),
        fc.integer({ min: 5, max: 98 }),
        fc.double({ min: 50, max: 99.9, noNaN: true }),
        async (loss, slope, start, target) => {
          const { asked, attempt } = encoder((quality) => loss * Math.exp(-slope * quality))
          const found = await searchQuality({ ...range, start, target }, attempt)
          if (found) expect(found.score).toBeGreaterThanOrEqual(target)
          expect(Math.min(...asked)).toBeGreaterThanOrEqual(range.from)
          expect(Math.max(...asked)).toBeLessThanOrEqual(range.to)
          expect(new Set(asked).size).toBe(asked.length)
        },
      ),
    )
  })

  it('reports that no quality is good enough', async () => {
    const { asked, attempt } = encoder(() => 10)
    expect(await searchQuality(range, attempt)).toBeUndefined()
    expect(asked.at(-1)).toBe(range.to)
  })

  it('ends at the lowest quality if all are good enough', async () => {
    const { attempt } = encoder(() => 0.001)
    expect((await searchQuality(range, attempt))?.quality).toBe(range.from)
  })

  it('returns the best result at its time limit [L-optimize-time]', async () => {
    const { asked, attempt } = encoder((quality) => 20 * Math.exp(-0.04 * quality))
    const found = await searchQuality({ ...range, start: 90, isLate: () => true }, attempt)
    expect(found?.quality).toBe(90)
    expect(asked).toEqual([90])
  })
})
