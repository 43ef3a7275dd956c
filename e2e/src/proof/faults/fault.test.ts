import { describe, expect, it } from 'vitest'
import { createChance } from '../../chance.ts'
import { faultNames, planFaults, scopeOf } from './fault.ts'

const plan = (count: number, scale = 1) => planFaults(count, createChance(3), { scale, names: faultNames })

describe('a stream of faults', () => {
  it('has the requested number, and is the same for the same seed', () => {
    expect(plan(500).flat()).toHaveLength(500)
    expect(plan(500)).toEqual(plan(500))
  })

  it('has every kind within the first two dozen', () => {
    expect(
      new Set(
        plan(24)
          .flat()
          .map(({ name }) => name),
      ),
    ).toEqual(new Set(faultNames))
  })

  it('never inflicts two faults on one service at the same time', () => {
    for (const incident of plan(500)) {
      const scopes = incident.map(({ name }) => scopeOf[name])
      expect(new Set(scopes).size).toBe(scopes.length)
    }
  })

  it('has durations that follow the scale', () => {
    const longest = (scale: number) =>
      Math.max(
        ...plan(500, scale)
          .flat()
          .map(({ forMs }) => forMs),
      )
    expect(longest(1)).toBeGreaterThan(25_000)
    expect(longest(1)).toBeLessThanOrEqual(30_000)
    expect(longest(0.1)).toBeLessThanOrEqual(3_000)
  })
})
