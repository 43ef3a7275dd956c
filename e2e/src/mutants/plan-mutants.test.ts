import { describe, expect, it } from 'vitest'
import type { Pair } from '../samples/pair.ts'
import { planMutants } from './plan-mutants.ts'

const pair = (from: string, to: string, more: Partial<Pair> = {}): Pair => ({
  operation: 'convert',
  from,
  to,
  options: [],
  engine: 'a',
  ...more,
})

describe('the mutants of an engine', () => {
  const pairs = [
    pair('x', 'y'),
    pair('x', 'pdf'),
    pair('z', 'z', { operation: 'crop' }),
    pair('x', 'pdf', { engine: 'b' }),
  ]

  it('cover the formats it reads, each converted to a typical target', () => {
    const plan = planMutants(pairs, 'a', 5).map(({ operation, from, to }) => `${operation} ${from} ${to}`)
    expect(plan).toEqual(['convert x pdf', 'crop z z', 'convert x pdf', 'crop z z', 'convert x pdf'])
  })

  it('are none for an unknown engine', () => {
    expect(() => planMutants(pairs, 'c', 5)).toThrow('c')
  })
})
