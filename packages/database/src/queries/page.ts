import { firstIdAt, type ObjectId } from '@lathe/domain'
import type { Executor } from '../database.ts'

/** A page of records. `total` is exact up to the cap and says so beyond it. */
export interface Page<T> {
  readonly docs: readonly T[]
  readonly total: number
  readonly capped: boolean
}

/**
 * Where a listing may begin to look: it lets PostgreSQL leave out expired partitions. A record is written a
 * moment after its id was made, so the exact line is drawn by `created_at`, and this one with a margin.
 */
export function oldestIdShown(cutoff: Date): ObjectId {
  return firstIdAt(new Date(cutoff.getTime() - 60_000))
}

/** Counting a million rows takes 110 ms: beyond this a total is given as "at least". */
const countedAtMost = 100_000

interface PageQuery {
  readonly table: string
  readonly columns: string
  readonly key: string
  readonly where: readonly string[]
  readonly values: readonly unknown[]
  readonly limit: number
  readonly offset: number
}

/** Reads one page, newest first, and counts all. Table, columns and conditions are our own text, never a caller's. */
export async function readPage<T extends object>(db: Executor, query: PageQuery): Promise<Page<T>> {
  const condition = query.where.join(' and ')
  const next = query.values.length + 1
  const [docs, counted] = await Promise.all([
    db.query<T>(
      `select ${query.columns} from ${query.table} where ${condition}
        order by ${query.key} desc limit $${next} offset $${next + 1}`,
      [...query.values, query.limit, query.offset],
    ),
    db.query<{ total: number }>(
      `select count(*)::int as total from (select 1 from ${query.table} where ${condition} limit $${next}) counted`,
      [...query.values, countedAtMost + 1],
    ),
  ])
  const total = counted.rows[0]?.total ?? 0
  return { docs: docs.rows, total: Math.min(total, countedAtMost), capped: total > countedAtMost }
}
