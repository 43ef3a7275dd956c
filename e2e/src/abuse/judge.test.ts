import { describe, expect, it } from 'vitest'
import { judge, p95, renderTable, type Trial } from './judge.ts'

const phase = (ms: number) => ({ uploads: Array(20).fill(ms), downloads: Array(20).fill(ms) })
const calm: Trial = {
  attack: 'none',
  reported: '',
  ...{ alone: [phase(20), phase(20), phase(20)], during: [phase(29), phase(29)], elsewhere: [phase(25)] },
  ...{ failures: [], readiness: ['ready'], memory: { beforeMb: 100, mostMb: 120, lastMb: 110 } },
}

describe('the verdict on an attack', () => {
  it('reports no fault if the normal tenant is hardly slower than alone', () => {
    expect(judge(calm)).toMatchObject({ faults: [] })
  })

  it.each([
    [
      { during: [{ ...phase(29), uploads: Array(20).fill(38) }] },
      'uploads took 38 ms (1.90× of 20 alone, 1.52× of 25 elsewhere)',
    ],
    [
      { during: [{ ...phase(29), downloads: Array(20).fill(200) }] },
      'downloads took 200 ms (10.00× of 20 alone, 8.00× of 25 elsewhere)',
    ],
    [{ during: [{ uploads: [], downloads: [20] }] }, 'uploads took NaN ms (NaN× of 20 alone, NaN× of 25 elsewhere)'],
    [{ readiness: ['ready', 'down'] }, '/readyz said down'],
    [{ readiness: [] }, '/readyz never answered'],
    [{ failures: ['upload: 429'] }, 'upload: 429'],
    [{ memory: { beforeMb: 100, mostMb: 300, lastMb: 300 } }, 'the api grew by 200 MB'],
  ])('reports %o', (change, fault) => {
    expect(judge({ ...calm, ...change }).faults).toEqual([fault])
  })

  it('does not attribute to the attack what slows another api as well', () => {
    expect(judge({ ...calm, during: [phase(100)], elsewhere: [phase(70)] }).faults).toEqual([])
    expect(judge({ ...calm, during: [phase(100)], elsewhere: [phase(60)] }).faults).toHaveLength(2)
  })
})

it('p95 is the value that 95 of 100 are below', () => {
  expect(p95(Array.from({ length: 100 }, (_, n) => n + 1))).toBe(95)
  expect(p95([7])).toBe(7)
})

it('the table has a line for each row', () => {
  expect(renderTable([judge(calm).row]).split('\n')).toHaveLength(2)
})
