import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** The first day of this month, UTC, as SQL. */
export const thisMonth = `date_trunc('month', now() at time zone 'utc')::date`

const usedMs = `case when o.used_in = ${thisMonth} then o.used_ms else 0 end`

/** What a plan still allows, in milliseconds, as SQL over an owner `o`; null without a limit. */
export const monthMsLeft = `(o.minutes_a_month * 60000::bigint - ${usedMs})::float8`
export const taskMsLeft = `(o.minutes_a_task * 60000::bigint)::float8`

/** The storage quota of an owner `o`, as SQL. */
export const storageQuota = 'o.storage_bytes::float8'

/** What an owner may use; null without a limit. */
export interface OwnerPlan {
  readonly slots: number
  readonly minutesPerMonth: number | null
  readonly minutesPerTask: number | null
  /** How many bytes its files may take. Unlike the others, null is the setting of the process, and 0 is no limit. */
  readonly storageBytes: number | null
}

/** A plan, and how much of it was used this month. */
export interface PlanInUse extends OwnerPlan {
  readonly usedMs: number
}

/** A plan in use, as SQL over an owner `o`. */
export const planColumns = `o.slots, o.minutes_a_month as "minutesPerMonth", o.minutes_a_task as "minutesPerTask",
  ${storageQuota} as "storageBytes", (${usedMs})::float8 as "usedMs"`

/** Changes the given fields of an owner's plan; undefined if there is no such owner. */
export async function updatePlan(
  db: Executor,
  id: ObjectId,
  change: Partial<OwnerPlan>,
): Promise<PlanInUse | undefined> {
  const { rows } = await db.query<PlanInUse>(
    `update owners o
        set slots = coalesce($2, slots),
            minutes_a_month = case when $3 then $4 else minutes_a_month end,
            minutes_a_task = case when $5 then $6 else minutes_a_task end,
            storage_bytes = case when $7 then $8 else storage_bytes end
      where id = $1
      returning ${planColumns}`,
    [
      ...[bytes(id), change.slots ?? null],
      ...[change.minutesPerMonth !== undefined, change.minutesPerMonth ?? null],
      ...[change.minutesPerTask !== undefined, change.minutesPerTask ?? null],
      ...[change.storageBytes !== undefined, change.storageBytes ?? null],
    ],
  )
  return rows[0]
}
