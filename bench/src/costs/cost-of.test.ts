import { expect, it } from 'vitest'
import { costOf } from './cost-of.ts'
import prices from './prices.json' with { type: 'json' }

it('computes what a million conversions cost', () => {
  const own = { ...prices, busy: { a: 0.5 }, outputMb: { a: 1 }, vcpuHour: 0.036, vcpuHourSpot: 0.018 }
  const cost = costOf('a', 0.1, { ...own, puts: 2, gets: 5, putsPerMillion: 5, getsPerMillion: 0.4, egressPerGb: 0.1 })
  expect(cost).toEqual({ compute: 2, computeSpot: 1, requests: 12, egress: 100, sum: 114 })
})

it('knows no price for what the table does not name', () => {
  expect(() => costOf('hologram', 1, prices)).toThrow('hologram')
})
