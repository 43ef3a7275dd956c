import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Pace, type ProgressPoint, paceAfter, toProgress } from './progress.ts'

function follow(points: readonly ProgressPoint[]) {
  let pace: Pace | undefined
  return points.map((point) => {
    pace = paceAfter(pace, point)
    return toProgress(pace)
  })
}

const second = (share: number, i: number) => ({ share, atMs: 5_000 + i * 1000 })

describe('progress', () => {
  it('reports whole percents, and the time left as soon as the pace is known', () => {
    expect(follow([0, 0.1, 0.2, 0.3].map(second))).toEqual([
      { percent: 0, secondsLeft: null },
      { percent: 10, secondsLeft: 9 },
      { percent: 20, secondsLeft: 8 },
      { percent: 30, secondsLeft: 7 },
    ])
  })

  it('measures from the first report of the engine', () => {
    expect(
      follow([
        { share: 0.5, atMs: 60_000 },
        { share: 0.75, atMs: 61_000 },
      ])[1],
    ).toEqual({ percent: 75, secondsLeft: 1 })
  })

  it('has no time left while nothing changes', () => {
    expect(follow([0.2, 0.2, 0.2].map(second)).map(({ secondsLeft }) => secondsLeft)).toEqual([null, null, null])
  })

  it('smooths out a single slow second, and follows a lasting change of speed', () => {
    const even = Array.from({ length: 20 }, (_, i) => i * 0.01)
    const once = follow([...even, 0.19].map(second)).at(-1)?.secondsLeft ?? 0
    expect(once).toBeGreaterThanOrEqual(80)
    expect(once).toBeLessThan(84)
    const slower = Array.from({ length: 60 }, (_, i) => 0.2 + i * 0.002)
    const reported = follow([...even, ...slower].map(second)).at(-1)?.secondsLeft ?? 0
    expect(reported).toBeGreaterThan(150)
  })

  it('never decreases, never exceeds 100 and never has negative time left, whatever engines report [D-shape-18]', () => {
    const share = fc.double({ min: 0, max: 2, noNaN: true })
    const steps = fc.array(fc.tuple(share, fc.integer({ min: 1, max: 5_000 })), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(steps, (given) => {
        let atMs = 0
        const reported = follow(
          given.map(([value, ms]) => {
            atMs += ms
            return { share: value, atMs }
          }),
        )
        for (const [i, { percent, secondsLeft }] of reported.entries()) {
          expect(percent).toBeGreaterThanOrEqual(reported[i - 1]?.percent ?? 0)
          expect(percent).toBeLessThanOrEqual(100)
          expect(Number.isInteger(percent) && (secondsLeft === null || Number.isInteger(secondsLeft))).toBe(true)
          expect(secondsLeft ?? 0).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
