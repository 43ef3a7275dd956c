import { describe, expect, it } from 'vitest'
import { planLoad, sharedOwners } from './plan-load.ts'

const units = planLoad(10_000, 7)
const total = units.reduce((sum, { tasks }) => sum + tasks, 0)
const share = (matches: (unit: (typeof units)[number]) => boolean) => units.filter(matches).length / units.length

describe('a load', () => {
  it('is the same for the same seed', () => {
    expect(planLoad(10_000, 7)).toEqual(units)
    expect(planLoad(10_000, 8)).not.toEqual(units)
  })

  it('has the requested number of tasks, 2 % of them conversions', () => {
    expect(total).toBeGreaterThanOrEqual(10_000)
    expect(total).toBeLessThan(10_003)
    expect(units.filter(({ kind }) => kind === 'conversion')).toHaveLength(200)
  })

  it('cancels or deletes 5 %, and repeats 5 %, always with an Idempotency-Key', () => {
    expect(share(({ end }) => end !== 'none')).toBeCloseTo(0.05, 1)
    expect(share(({ repeated }) => repeated)).toBeCloseTo(0.05, 1)
    expect(units.filter(({ repeated, keyed }) => repeated && !keyed)).toEqual([])
  })

  it('gives each conversion an owner of its own', () => {
    const owners = units.filter(({ kind }) => kind === 'conversion').map(({ owner }) => owner)
    expect(new Set(owners).size).toBe(200)
    expect(Math.min(...owners)).toBe(sharedOwners)
  })
})
