import { describe, expect, it } from 'vitest'
import { estimateWait, type RecentRun } from './queue-place.ts'

const now = new Date('2026-01-01T12:00:00Z')
const webp = { position: 4, operation: 'convert', to: 'webp' }

/** Runs that started at even intervals, the last of them `ms` ago. */
function runsEvery(ms: number, count: number, run: Partial<RecentRun> = {}): RecentRun[] {
  return Array.from({ length: count }, (_, i) => ({
    operation: 'convert',
    to: 'webp',
    startedAt: new Date(now.getTime() - (i + 1) * ms),
    tookMs: 2_000,
    ...run,
  }))
}

describe('the estimate of a waiting task', () => {
  it('is the position at the pace of recent starts, plus the duration of a similar run', () => {
    expect(estimateWait(webp, runsEvery(3_000, 10), now)).toEqual({ secondsToStart: 12, secondsToEnd: 14 })
  })

  it('uses runs of the same operation and format, or of the same queue if those are too few', () => {
    const others = runsEvery(3_000, 10, { to: 'pdf', tookMs: 20_000 })
    expect(estimateWait(webp, [...others, ...runsEvery(3_000, 3)], now).secondsToEnd).toBe(10 + 2)
    expect(estimateWait(webp, others, now)).toEqual({ secondsToStart: 12, secondsToEnd: 32 })
  })

  it('is absent if few or no tasks have started recently [D-shape-20]', () => {
    const nothing = { secondsToStart: null, secondsToEnd: null }
    expect(estimateWait(webp, [], now)).toEqual(nothing)
    expect(estimateWait(webp, runsEvery(3_000, 4), now)).toEqual(nothing)
    expect(estimateWait(webp, runsEvery(400_000, 20), now)).toEqual(nothing)
  })

  it('has a start, but no end, while no run is done', () => {
    const running = runsEvery(3_000, 10, { tookMs: null })
    expect(estimateWait(webp, running, now)).toEqual({ secondsToStart: 12, secondsToEnd: null })
  })

  it('grows while nothing starts any more', () => {
    const later = new Date(now.getTime() + 60_000)
    const runs = runsEvery(3_000, 10)
    expect(estimateWait(webp, runs, later).secondsToStart).toBeGreaterThan(
      estimateWait(webp, runs, now).secondsToStart ?? 0,
    )
  })
})
