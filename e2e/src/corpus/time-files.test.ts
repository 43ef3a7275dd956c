import { expect, it } from 'vitest'
import { renderTimes, timesByPair } from './time-files.ts'

const timings = [
  { file: 'c/a.xps', pair: 'xps → pdf', oursMs: 90, bareMs: 100 },
  { file: 'c/b.xps', pair: 'xps → pdf', oursMs: 160, bareMs: 100 },
  { file: 'c/c.xps', pair: 'xps → pdf', oursMs: 500, bareMs: 100 },
  { file: 'c/d.xps', pair: 'xps → pdf' },
  { file: 'c/a.md', pair: 'md → html', oursMs: 2100, bareMs: 600 },
]

it('takes the median of the files that both convert, the slowest conversion first', () => {
  expect(timesByPair(timings)).toEqual([
    { pair: 'md → html', files: 1, ratio: 3.5, oursMs: 2100, bareMs: 600 },
    { pair: 'xps → pdf', files: 3, ratio: 1.6, oursMs: 160, bareMs: 100 },
  ])
})

it('reports conversions that take longer than allowed', () => {
  const page = renderTimes(timings)
  expect(page).toContain('2 conversions: 0 are faster than the bare tool, 2 take more than 1.5 times')
  expect(page).toContain('| xps → pdf | 3 | 1.60 | 160 | 100 |')
  expect(page).toContain('| c/a.md | md → html | 2100 | 600 |')
  expect(renderTimes(timings.slice(0, 3))).toContain('No file that takes more than 2 s')
})
