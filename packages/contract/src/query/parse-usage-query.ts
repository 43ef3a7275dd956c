import { invalidField, type UsageGroup } from '@lathe/domain'
import { limits } from '../limits.ts'
import type { RawQuery } from './define-query.ts'
import { readPage } from './paging.ts'
import { usageQuery } from './queries.ts'

/** The requested usage: from the first day to the last, both included. */
export interface UsageQuery {
  readonly from: string
  readonly to: string
  readonly groupBy: readonly UsageGroup[]
  readonly page: number
  readonly limit: number
  readonly offset: number
}

const dayMs = 86_400_000
const usualDays = 30

/** Reads the query for usage: by default the last thirty days, by day. */
export function parseUsageQuery(raw: RawQuery, now: Date): UsageQuery {
  for (const name of ['after', 'before']) {
    if (Object.hasOwn(raw, name)) throw invalidField(name, 'is not known here. Use page.', 'unknown')
  }
  const { group_by: groupBy = ['day'], page, limit, offset, ...days } = readPage(usageQuery, raw)
  const to = days.to ?? dayOf(now.getTime())
  const from = days.from ?? dayOf(Date.parse(to) - (usualDays - 1) * dayMs)
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (count < 1) throw invalidField('from', 'is after to. Give the earlier day first.')
  if (count > limits.usageDays)
    throw invalidField('from', `is ${count} days before to. At most ${limits.usageDays} days.`)
  return { from, to, groupBy, page, limit, offset }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
