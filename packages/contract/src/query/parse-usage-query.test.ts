import { describe, expect, it } from 'vitest'
import { pathsOf } from '../testing/faults-of.ts'
import { parseUsageQuery } from './parse-usage-query.ts'

const now = new Date('2026-03-10T23:59:00Z')

describe('the query of usage', () => {
  it('is the last thirty days by day by default', () => {
    expect(parseUsageQuery({}, now)).toMatchObject({ from: '2026-02-09', to: '2026-03-10', groupBy: ['day'], page: 1 })
    expect(parseUsageQuery({ to: '2026-01-30' }, now)).toMatchObject({ from: '2026-01-01', to: '2026-01-30' })
  })

  it('takes days, groups in any order, and a page', () => {
    const query = { from: '2026-01-01', to: '2026-01-01', group_by: 'engine, day,pair', page: '3', per_page: '10' }
    expect(parseUsageQuery(query, now)).toEqual({
      from: '2026-01-01',
      to: '2026-01-01',
      groupBy: ['day', 'pair', 'engine'],
      page: 3,
      limit: 10,
      offset: 20,
    })
  })

  it.each([
    [{ from: '2026-02-30' }, 'from'],
    [{ to: 'yesterday' }, 'to'],
    [{ from: '2026-03-11' }, 'from'],
    [{ from: '2024-01-01' }, 'from'],
    [{ group_by: 'day,user' }, 'group_by'],
    [{ group_by: '' }, 'group_by'],
    [{ per_page: '201' }, 'per_page'],
    [{ after: 'a'.repeat(24) }, 'after'],
  ])('is refused as %j, and %s is named [D-http-72]', (raw, path) => {
    expect(pathsOf(() => parseUsageQuery(raw, now))).toEqual([path])
  })
})
