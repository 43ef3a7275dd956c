import { isOperation } from '@lathe/operations'
import type { UsageQuery } from '../query/parse-usage-query.ts'
import type { Usage, UsageRow } from '../schemas/usage-view.ts'

/** What a view needs to know about sums. */
export interface UsageSumFacts {
  readonly completed: number
  readonly failed: number
  readonly canceled: number
  readonly engineMs: number
  readonly bytes: number
}

/** What a view needs to know about a group; empty strings mean absent values. */
export interface UsageFacts extends UsageSumFacts {
  readonly day?: string
  readonly operation?: string
  readonly from?: string
  readonly to?: string
  readonly engine?: string
}

/** Usage as its owner sees it. If there are more groups, `found` has one more than the page. */
export function toUsageView(query: UsageQuery, total: UsageSumFacts, found: readonly UsageFacts[]): Usage {
  const { from, to, groupBy, page, limit } = query
  const hasNextPage = found.length > limit
  return {
    from,
    to,
    groupBy: [...groupBy],
    total: toSums(total),
    docs: found.slice(0, limit).map(toRow),
    page,
    limit,
    hasNextPage,
    nextPage: hasNextPage ? page + 1 : null,
  }
}

function toRow({ day, operation, from, to, engine, ...sums }: UsageFacts): UsageRow {
  return {
    ...(day !== undefined && { day }),
    ...(operation !== undefined && isOperation(operation) && { operation }),
    ...(from !== undefined && { inputFormat: from || null }),
    ...(to !== undefined && { outputFormat: to || null }),
    ...(engine !== undefined && { engine: engine || null }),
    ...toSums(sums),
  }
}

function toSums({ completed, failed, canceled, engineMs, bytes }: UsageSumFacts): Usage['total'] {
  return { completed, failed, canceled, minutes: Math.round((engineMs / 60_000) * 100) / 100, bytes }
}
