import { firstIdAt, type ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A page of records, newest first. */
export interface Page<T> {
  readonly docs: readonly T[]
  /** All that match, on this page or not. */
  readonly total: number
  readonly hasNext: boolean
  /** How many come before the first of these; only where the page was asked for by a cursor. */
  readonly skipped?: number
}

/** Which page is asked for: by number, or next to a record that is known. */
export interface Paging {
  readonly limit: number
  readonly offset: number
  /** The page that follows this record. */
  readonly after?: ObjectId
  /** The page that ends before this record. */
  readonly before?: ObjectId
  /** Remembers large totals for a moment. */
  readonly counts?: CountCache
}

/** Gives the total that is kept under a key, or counts. */
export type CountCache = (key: string, count: () => Promise<number>) => Promise<number>

/**
 * Where a listing may begin to look: it lets PostgreSQL leave out expired partitions. A record is written a
 * moment after its id was made, so the exact line is drawn by `created_at`, and this one with a margin.
 */
export function oldestIdShown(cutoff: Date): ObjectId {
  return firstIdAt(new Date(cutoff.getTime() - 60_000))
}

interface PageQuery extends Paging {
  readonly table: string
  readonly columns: string
  readonly key: string
  readonly where: readonly string[]
  readonly values: readonly unknown[]
  /** The same for the same owner and filter. */
  readonly countKey: string
}

/** Reads one page and counts all. Table, columns and conditions are our own text, never a caller's. */
export async function readPage<T extends object>(db: Executor, query: PageQuery): Promise<Page<T>> {
  const { counts = countAnew, countKey, after, before } = query
  const cursor = after ?? before
  const [{ docs, hasMore }, counted, ahead] = await Promise.all([
    readDocs<T>(db, query),
    counts(countKey, () => count(db, query)),
    cursor === undefined ? undefined : count(db, query, `${query.key} ${after === undefined ? '>' : '>='}`, cursor),
  ])
  if (ahead === undefined) {
    // A remembered total may be a moment behind what was just read.
    const seen = docs.length === 0 ? 0 : query.offset + docs.length + (hasMore ? 1 : 0)
    return { docs, total: Math.max(counted, seen), hasNext: hasMore }
  }
  const skipped = after === undefined ? Math.max(0, ahead - docs.length) : ahead
  const seen = skipped + docs.length + (after !== undefined && hasMore ? 1 : 0)
  const total = Math.max(counted, seen)
  return { docs, total, skipped, hasNext: after === undefined ? total > seen : hasMore }
}

/** One more than asked for is read: it tells exactly whether there is another page. */
async function readDocs<T extends object>(db: Executor, query: PageQuery) {
  const { table, columns, key, limit, offset, after, before } = query
  const values = [...query.values]
  const where = [...query.where]
  if (after !== undefined) where.push(`${key} < $${values.push(bytes(after))}`)
  if (before !== undefined) where.push(`${key} > $${values.push(bytes(before))}`)
  const isBackwards = before !== undefined
  const { rows } = await db.query<T>(
    `select ${columns} from ${table} where ${where.join(' and ')}
      order by ${key} ${isBackwards ? 'asc' : 'desc'} limit $${values.push(limit + 1)} offset $${values.push(offset)}`,
    values,
  )
  const docs = rows.slice(0, limit)
  return { docs: isBackwards ? docs.toReversed() : docs, hasMore: rows.length > limit }
}

async function count(db: Executor, query: PageQuery, comparison?: string, id?: ObjectId): Promise<number> {
  const values = [...query.values]
  const where = [...query.where]
  if (comparison !== undefined && id !== undefined) where.push(`${comparison} $${values.push(bytes(id))}`)
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::int as total from ${query.table} where ${where.join(' and ')}`,
    values,
  )
  return rows[0]?.total ?? 0
}

const countAnew: CountCache = (_key, counted) => counted()
