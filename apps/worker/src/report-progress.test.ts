import type { Progress } from '@lathe/domain'
import { expect, it } from 'vitest'
import { createProgressReport } from './report-progress.ts'

it('reports at most once a second, however often the engine does [D-shape-18]', () => {
  const reported: Progress[] = []
  let now = 0
  const report = createProgressReport(
    (progress) => void reported.push(progress),
    () => now,
  )
  for (; now < 10_000; now += 10) report(now / 20_000)
  expect(reported).toHaveLength(10)
  expect(reported.map(({ percent }) => percent)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45])
  expect(reported.at(-1)?.secondsLeft).toBe(11)
})

it('ignores values that are not finite', () => {
  const reported: Progress[] = []
  const report = createProgressReport((progress) => void reported.push(progress))
  for (const share of [Number.NaN, Number.POSITIVE_INFINITY]) report(share)
  expect(reported).toEqual([])
})
