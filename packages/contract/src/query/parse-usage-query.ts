import { invalidField, type UsageGroup, usageGroups } from '@lathe/domain'
import { limits } from '../limits.ts'
import { parsePaging, type RawQuery, singleValue } from './raw-query.ts'

/** Which usage is asked for: days from the first to the last, both included. */
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

/** Reads the query of usage: the last thirty days by day unless it says otherwise. */
export function parseUsageQuery(raw: RawQuery, now: Date): UsageQuery {
  for (const name of ['after', 'before']) {
    if (singleValue(raw, name) !== undefined) throw invalidField(name, 'is not known here. Use page.', 'unknown')
  }
  const to = parseDay(raw, 'to') ?? dayOf(now.getTime())
  const from = parseDay(raw, 'from') ?? dayOf(Date.parse(to) - (usualDays - 1) * dayMs)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw invalidField('from', 'is after to. Give the earlier day first.')
  if (days > limits.usageDays)
    throw invalidField('from', `is ${days} days before to. At most ${limits.usageDays} days.`)
  const { page, limit, offset } = parsePaging(raw)
  return { from, to, groupBy: parseGroups(raw), page, limit, offset }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function parseDay(raw: RawQuery, name: string): string | undefined {
  const text = singleValue(raw, name)
  if (text === undefined) return undefined
  const ms = /^[12]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms) || dayOf(ms) !== text) throw invalidField(name, 'must be a day (UTC) such as 2026-01-31.')
  return text
}

function parseGroups(raw: RawQuery): readonly UsageGroup[] {
  const given = (singleValue(raw, 'group_by') ?? 'day').split(',').map((part) => part.trim())
  const unknown = given.filter((part) => !(usageGroups as readonly string[]).includes(part))
  if (unknown.length > 0) {
    throw invalidField('group_by', `must be one or more of: ${usageGroups.join(', ')}, with commas between them.`)
  }
  return usageGroups.filter((group) => given.includes(group))
}
