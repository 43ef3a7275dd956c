import { firstIdAt, type ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A page of records, newest first. */
export interface Page<T> {
  readonly docs: readonly T[]
  /** All matching records, on this page or not. */
  readonly total: number
  readonly hasNext: boolean
  /** How many records come before this page; only for pages requested by cursor. */
  readonly skipped?: number
}

/** Which page to read: by number, or next to a known record. */
export interface Paging {
  readonly limit: number
  readonly offset: number
  /** The page after this record. */
  readonly after?: ObjectId
  /** The page before this record. */
  readonly before?: ObjectId
  /** Caches large totals for a short time. */
  readonly counts?: CountCache
}

/** Returns the cached total of a key, or counts. */
export type CountCache = (key: string, count: () => Promise<number>) => Promise<number>

/** A range of ids, and so of time: `from` inclusive, `to` exclusive. */
export interface IdSlice {
  readonly from: ObjectId
  readonly to: ObjectId
}

const hourMs = 3_600_000
// PostgreSQL locks every hour it plans for, with 7 indexes each. Six hours keep a statement below the 64 locks that its
// defaults give each connection; over the whole day a list took about 250, twice at once.
const sliceMs = 6 * hourMs

/**
 * The ids of a list, newest first, in slices of one statement each. The ends stay the same for hours, so that totals
 * can be cached. A record is written a moment after its id was created, and clocks differ: `created_at` is the exact
 * limit, and the slices have a margin.
 */
export function slicesSince(cutoff: Date, now: Date): readonly IdSlice[] {
  const oldest = cutoff.getTime() - 60_000
  const slices: IdSlice[] = []
  let end = Math.ceil((now.getTime() + hourMs) / sliceMs) * sliceMs
  for (; end > oldest; end -= sliceMs) {
    slices.push({ from: firstIdAt(new Date(Math.max(end - sliceMs, oldest))), to: firstIdAt(new Date(end)) })
  }
  return slices
}

interface PageQuery extends Paging {
  readonly table: string
  readonly columns: string
  readonly key: string
  readonly where: readonly string[]
  readonly values: readonly unknown[]
  /** Newest first, without relevant gaps. */
  readonly slices: readonly IdSlice[]
  /** The same for the same owner and filter. */
  readonly countKey: string
}

interface CountedSlice extends IdSlice {
  readonly count: number
}

/** Reads one page and counts all records. Table, columns and conditions are our own text, never a caller's. */
export async function readPage<T extends object>(db: Executor, query: PageQuery): Promise<Page<T>> {
  const { after, before } = query
  const slices = await countSlices(db, query)
  const counted = slices.reduce((sum, { count }) => sum + count, 0)
  const { docs, hasMore } = await readDocs<T>(db, query, slices)
  const cursor = after ?? before
  if (cursor === undefined) {
    // A cached total may be slightly older than the page.
    const seen = docs.length === 0 ? 0 : query.offset + docs.length + (hasMore ? 1 : 0)
    return { docs, total: Math.max(counted, seen), hasNext: hasMore }
  }
  const ahead = await countAhead(db, query, slices, cursor)
  const skipped = after === undefined ? Math.max(0, ahead - docs.length) : ahead
  const seen = skipped + docs.length + (after !== undefined && hasMore ? 1 : 0)
  const total = Math.max(counted, seen)
  return { docs, total, skipped, hasNext: after === undefined ? total > seen : hasMore }
}

/** One after another: together they would hold all their locks at once. */
async function countSlices(db: Executor, query: PageQuery): Promise<readonly CountedSlice[]> {
  const { counts = countAnew, countKey } = query
  const counted: CountedSlice[] = []
  for (const slice of query.slices) {
    const count = await counts(`${countKey} ${slice.to}`, () => countIn(db, query, slice))
    counted.push({ ...slice, count })
  }
  return counted
}

/** How many records come before a record, including it if the page follows it. */
async function countAhead(
  db: Executor,
  query: PageQuery,
  slices: readonly CountedSlice[],
  cursor: ObjectId,
): Promise<number> {
  let ahead = 0
  for (const slice of slices) {
    if (slice.to <= cursor) continue
    const isWhole = slice.from > cursor || slice.count === 0
    const comparison = query.after === undefined ? '>' : '>='
    ahead += isWhole ? slice.count : await countIn(db, query, slice, { comparison, cursor })
  }
  return ahead
}

/** Reads one more than requested, to know whether there is another page. */
async function readDocs<T extends object>(db: Executor, query: PageQuery, slices: readonly CountedSlice[]) {
  const { limit, offset, after, before } = query
  const isBackwards = before !== undefined
  const found: T[] = []
  let skip = offset
  for (const slice of isBackwards ? slices.toReversed() : slices) {
    if (slice.count === 0 || (after !== undefined && slice.from >= after)) continue
    if (before !== undefined && slice.to <= before) continue
    if (skip >= slice.count) {
      skip -= slice.count
      continue
    }
    found.push(...(await readSlice<T>(db, query, slice, { limit: limit + 1 - found.length, offset: skip })))
    skip = 0
    if (found.length > limit) break
  }
  const docs = found.slice(0, limit)
  return { docs: isBackwards ? docs.toReversed() : docs, hasMore: found.length > limit }
}

async function readSlice<T extends object>(
  db: Executor,
  query: PageQuery,
  slice: IdSlice,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<readonly T[]> {
  const { table, columns, key, after, before } = query
  const { where, values } = within(query, slice)
  if (after !== undefined) where.push(`${key} < $${values.push(bytes(after))}`)
  if (before !== undefined) where.push(`${key} > $${values.push(bytes(before))}`)
  const order = before === undefined ? 'desc' : 'asc'
  const text = `select ${columns} from ${table} where ${where.join(' and ')}
      order by ${key} ${order} limit $${values.push(limit)} offset $${values.push(offset)}`
  const { rows } = await db.query<T>({ text, values })
  return rows
}

async function countIn(
  db: Executor,
  query: PageQuery,
  slice: IdSlice,
  bound?: { readonly comparison: '>' | '>='; readonly cursor: ObjectId },
): Promise<number> {
  const { where, values } = within(query, slice)
  if (bound) where.push(`${query.key} ${bound.comparison} $${values.push(bytes(bound.cursor))}`)
  const text = `select count(*)::int as total from ${query.table} where ${where.join(' and ')}`
  const { rows } = await db.query<{ total: number }>({ text, values })
  return rows[0]?.total ?? 0
}

/**
 * The conditions of a statement for one slice. These statements are sent without a name, so that they are planned for
 * their values each time: a generic plan reads, and locks, every partition.
 */
function within({ key, where, values }: PageQuery, { from, to }: IdSlice): { where: string[]; values: unknown[] } {
  const all = [...values]
  return { where: [...where, `${key} >= $${all.push(bytes(from))}`, `${key} < $${all.push(bytes(to))}`], values: all }
}

const countAnew: CountCache = (_key, counted) => counted()
