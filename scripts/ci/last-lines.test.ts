import { expect, it } from 'vitest'
import { lastLines } from './last-lines.ts'

it('ends with the count, after what ran twice, failed or was left out', () => {
  const verdicts = [
    { passed: 3, failed: 0, failures: [] },
    { passed: 1, failed: 1, failures: ['int: a.test.ts: it broke'], leftOut: ['audit: no registry'] },
  ]
  expect(lastLines({ verdicts, repeated: ['web: b.test.ts: too slow'] })).toEqual([
    'LEFT OUT audit: no registry',
    'REPEATED web: b.test.ts: too slow',
    'FAILED int: a.test.ts: it broke',
    '4 passed, 1 failed',
  ])
})

it('a run that was broken off has failed', () => {
  const verdicts = [{ passed: 3, failed: 0, failures: [] }]
  expect(lastLines({ verdicts, repeated: [], brokenOff: 'no engine root' })).toEqual([
    'FAILED no engine root',
    '3 passed, 1 failed',
  ])
})
