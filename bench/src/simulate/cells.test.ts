import { describe, expect, it } from 'vitest'
import { type CellsPlan, simulateCells } from './cells.ts'
import { judgeCells } from './claims.ts'

const plan: CellsPlan = {
  seed: 1,
  hours: 4,
  cells: 4,
  tasksPerS: 4_000,
  scale: 1_000,
  owners: 200,
  lostAtH: 2,
  lostForH: 1,
  failoverS: 60,
}

describe('a day of cells', () => {
  const day = simulateCells(plan)

  it('accounts for every conversion: completed, or in the lost cell', () => {
    expect(day.accepted).toBeGreaterThan(10_000)
    expect(day.lost).toBeGreaterThan(0)
    expect(day.completed + day.lost).toBe(day.accepted)
    expect(day.open).toBe(0)
  })

  it('refuses requests only until the route has changed', () => {
    const never = simulateCells({ ...plan, failoverS: 0 })
    expect(day.refused).toBeGreaterThan(0)
    expect(never.refused).toBe(0)
  })

  it('is the same for the same seed, and another for another', () => {
    const again = simulateCells(plan)
    expect([again.accepted, again.lost, again.hunger]).toEqual([day.accepted, day.lost, day.hunger])
    expect(simulateCells({ ...plan, seed: 2 }).accepted).not.toBe(day.accepted)
  })

  it('fails its claims where a conversion got lost, or an owner starved', () => {
    const broken = (report: typeof day) =>
      judgeCells(report)
        .filter(({ ok }) => !ok)
        .map(({ name }) => name)
    expect(broken({ ...day, completed: day.completed - 1 })).toContain('cells: conversions unaccounted for')
    expect(broken({ ...day, open: 1 })).toContain('cells: conversions unaccounted for')
    expect(broken({ ...day, hunger: { ownerId: 'o1', ms: 3_600_000 } })).toContain(
      'cells: longest time an owner had work and none in hand',
    )
  })
})
