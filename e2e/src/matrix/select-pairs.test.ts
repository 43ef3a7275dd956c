import { describe, expect, it } from 'vitest'
import type { Pair } from '../samples/pair.ts'
import { selectPairs } from './select-pairs.ts'

const pair = (engine: string, from: string, to: string): Pair => ({
  operation: 'convert',
  from,
  to,
  options: [],
  engine,
})
const many = Array.from({ length: 50 }, (_, n) => pair('big', `a${n}`, 'b'))
const all = [...many, pair('small', 'x', 'y'), pair('small', 'y', 'x')]

describe('the pairs of a run', () => {
  it('are all of them without filters', () => {
    expect(selectPairs(all, { seed: 1 })).toEqual(all)
  })

  it('match every given filter', () => {
    expect(selectPairs(all, { only: 'small', seed: 1 })).toHaveLength(2)
    expect(selectPairs(all, { only: 'convert,a7', seed: 1 })).toEqual([many[7]])
    expect(selectPairs(all, { only: 'small,b', seed: 1 })).toEqual([])
    expect(selectPairs(all, { only: 'convert,a7|a8', seed: 1 })).toEqual([many[7], many[8]])
  })

  it('are the same sample for the same seed, with every engine in it', () => {
    const sample = selectPairs(all, { sample: 4, seed: 7 })
    expect(sample).toEqual(selectPairs(all, { sample: 4, seed: 7 }))
    expect(sample.map(({ engine }) => engine).sort()).toEqual(['big', 'big', 'small', 'small'])
    expect(selectPairs(all, { sample: 4, seed: 8 })).not.toEqual(sample)
  })
})
