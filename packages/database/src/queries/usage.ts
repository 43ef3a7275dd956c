import type { ObjectId, UsageGroup } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/**
 * Counts ends of tasks, as SQL: a query that returns owner, operation, formats, engine, the status each task ended
 * with, its engine time and its bytes. The caller has locked the owner, so every row has one writer at a time.
 */
export const addUsageSql = (ends: string) => `insert into usage as u
    (owner_id, day, operation, input_format, output_format, engine, completed, failed, canceled, engine_ms, bytes)
  select owner_id, (now() at time zone 'utc')::date, operation, input_format, output_format, coalesce(engine, ''),
         count(*) filter (where status = 'completed'), count(*) filter (where status = 'failed'),
         count(*) filter (where status in ('canceled', 'deleted')),
         round(coalesce(sum(engine_ms), 0)), coalesce(sum(bytes), 0)
    from (${ends}) as ends(owner_id, operation, input_format, output_format, engine, status, engine_ms, bytes)
   group by 1, 3, 4, 5, 6
  on conflict (owner_id, day, operation, input_format, output_format, engine) do update
    set completed = u.completed + excluded.completed, failed = u.failed + excluded.failed,
        canceled = u.canceled + excluded.canceled, engine_ms = u.engine_ms + excluded.engine_ms,
        bytes = u.bytes + excluded.bytes`

/** Tasks that failed on creation. */
export interface FailedAtOnce {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly engine: string | null
}

/** Counts tasks that failed on creation because their inputs were gone. The caller has locked the owner. */
export async function countFailedAtOnce(
  tx: Executor,
  ownerId: ObjectId,
  tasks: readonly FailedAtOnce[],
): Promise<void> {
  if (tasks.length === 0) return
  await tx.query(
    addUsageSql(`select $1::bytea, operation, "from", "to", engine, 'failed', 0, 0
      from json_to_recordset($2::json) as f(operation text, "from" text, "to" text, engine text)`),
    [bytes(ownerId), JSON.stringify(tasks)],
  )
}

/** Usage totals. */
export interface UsageSums {
  readonly completed: number
  readonly failed: number
  readonly canceled: number
  readonly engineMs: number
  readonly bytes: number
}

/** Totals of one group; only the fields it is grouped by are set. */
export interface UsageRecord extends UsageSums {
  readonly day?: string
  readonly operation?: string
  readonly from?: string
  readonly to?: string
  readonly engine?: string
}

export interface UsageFilter {
  readonly ownerId: ObjectId
  /** The first and the last day, as `2026-01-31`. */
  readonly firstDay: string
  readonly lastDay: string
  readonly groupBy: readonly UsageGroup[]
  readonly limit: number
  readonly offset: number
}

const columnsOf: Readonly<Record<UsageGroup, readonly string[]>> = {
  day: [`to_char(day, 'YYYY-MM-DD') as day`],
  operation: ['operation'],
  pair: ['input_format as "from"', 'output_format as "to"'],
  engine: ['engine'],
}
const keysOf: Readonly<Record<UsageGroup, readonly string[]>> = {
  day: ['day desc'],
  operation: ['operation'],
  pair: ['input_format', 'output_format'],
  engine: ['engine'],
}
const sums = ['completed', 'failed', 'canceled', 'engine_ms', 'bytes']
  .map((name) => `coalesce(sum(${name}), 0)::float8 as ${name === 'engine_ms' ? '"engineMs"' : name}`)
  .join(', ')
const ofDays = `from usage where owner_id = $1 and day >= $2::date and day <= $3::date`

/** A page of an owner's usage, the newest day first, with one additional group if there are more. */
export async function listUsage(db: Executor, filter: UsageFilter): Promise<readonly UsageRecord[]> {
  const { ownerId, firstDay, lastDay, groupBy, limit, offset } = filter
  const columns = groupBy.flatMap((group) => columnsOf[group])
  const keys = groupBy.flatMap((group) => keysOf[group])
  const { rows } = await db.query<UsageRecord>(
    `select ${[...columns, sums].join(', ')} ${ofDays}
      group by ${keys.map((key) => key.replace(' desc', '')).join(', ')} order by ${keys.join(', ')} limit $4 offset $5`,
    [bytes(ownerId), firstDay, lastDay, limit + 1, offset],
  )
  return rows
}

/** The usage totals of an owner over some days. */
export async function sumUsage(
  db: Executor,
  { ownerId, firstDay, lastDay }: Pick<UsageFilter, 'ownerId' | 'firstDay' | 'lastDay'>,
): Promise<UsageSums> {
  const { rows } = await db.query<UsageSums>(`select ${sums} ${ofDays}`, [bytes(ownerId), firstDay, lastDay])
  return rows[0] ?? { completed: 0, failed: 0, canceled: 0, engineMs: 0, bytes: 0 }
}

/** Deletes days before a time. */
export async function forgetUsage(db: Executor, before: Date): Promise<number> {
  const { rowCount } = await db.query(`delete from usage where day < $1::date`, [before.toISOString().slice(0, 10)])
  return rowCount ?? 0
}
