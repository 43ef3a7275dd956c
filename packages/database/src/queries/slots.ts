import type { EngineFamily, Lane, ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { thisMonth } from './owner-plans.ts'

/** A task that has a slot and waits for a worker. */
export interface Dispatchable {
  readonly id: ObjectId
  readonly pool: string
  readonly attempt: number
  readonly ownerId: ObjectId
  readonly jobId: ObjectId | null
  readonly dependsOn: readonly ObjectId[]
  /** Which queue of its pool it waits in. Default: `quick`. */
  readonly lane?: Lane
  /** The family of engines it needs, if known. */
  readonly needs?: EngineFamily | null
  /** How many slots its owner had in use, including this one: lower ranks go first. Default: 1. */
  readonly rank?: number
}

/** The columns of a task that may be dispatched. */
export const dispatchColumns = `t.id, t.pool, t.attempt, t.owner_id as "ownerId", t.job_id as "jobId",
  t.depends_on as "dependsOn", t.lane, t.needs, (select o.slots_used from owners o where o.id = t.owner_id) as rank`

/** An owner's counters after a transaction, and the milliseconds of this month's minutes that it used. */
export interface OwnerChange {
  readonly id: ObjectId
  readonly slotsUsed: number
  readonly backlog: number
  readonly takenMs: number
  /** The change in the number of its open tasks; negative if some have ended. */
  readonly opened: number
}

/** Writes the owner's counters after a transaction; the caller has locked the row. */
export async function updateOwner(tx: Executor, change: OwnerChange): Promise<void> {
  await tx.query(
    `update owners set slots_used = $2, backlog = $3, open_tasks = greatest(0, open_tasks + $5), used_in = ${thisMonth},
            used_ms = $4 + case when used_in = ${thisMonth} then used_ms else 0 end
      where id = $1`,
    [bytes(change.id), change.slotsUsed, change.backlog, Math.round(change.takenMs), change.opened],
  )
}

/**
 * Gives slots to the owner's oldest ready tasks. The caller has locked the owner and writes the counters afterwards.
 */
export async function admitOldest(
  tx: Executor,
  { ownerId, limit, since }: { ownerId: ObjectId; limit: number; since: ObjectId },
): Promise<Dispatchable[]> {
  const { rows } = await tx.query<Dispatchable>(
    `with next as (
       select id from tasks
        where owner_id = $1 and id >= $2 and status = 'created' and pending = 0 and not slot
        order by id limit $3 for no key update skip locked
     )
     update tasks t set slot = true, updated_at = now() from next
      where t.id = next.id and t.id >= $2
      returning ${dispatchColumns}`,
    [bytes(ownerId), bytes(since), limit],
  )
  return rows
}

/**
 * Owners with ready tasks and free slots, by id after the given one: normally none, because every transaction admits tasks to the slots it frees.
 */
export async function findOwnersToAdmit(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select id from owners where backlog > 0 and slots_used < slots and id > $1 order by id limit $2`,
    [bytes(after), limit],
  )
  return rows.map(({ id }) => id)
}

/** The counters of an owner that say how many of its tasks are in which state. */
export interface OwnerCounters {
  readonly slotsUsed: number
  readonly backlog: number
  readonly openTasks: number
}

const countersSql = `count(*)::int as "openTasks", count(*) filter (where slot)::int as "slotsUsed",
  count(*) filter (where status = 'created' and pending = 0 and not slot)::int as backlog`

const isOpenSql = `status in ('created', 'processing')`

/** The owner's counters, counted from the tasks themselves. The caller has locked the owner. */
export async function countSlots(tx: Executor, ownerId: ObjectId): Promise<OwnerCounters> {
  const { rows } = await tx.query<OwnerCounters>(
    `select ${countersSql} from tasks where owner_id = $1 and ${isOpenSql}`,
    [bytes(ownerId)],
  )
  return rows[0] ?? { slotsUsed: 0, backlog: 0, openTasks: 0 }
}

/**
 * Owners whose counters do not match their tasks, by id after the given one. One statement sees one state of all rows,
 * and every transaction writes tasks and counters together, so none is found while a task is being created or ended.
 * Reads all owners and all open tasks.
 */
export async function findMiscounted(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select o.id from owners o left join (
         select owner_id, ${countersSql} from tasks where ${isOpenSql} group by owner_id
       ) t on t.owner_id = o.id
      where o.id > $1
        and (o.open_tasks, o.slots_used, o.backlog)
              is distinct from (coalesce(t."openTasks", 0), coalesce(t."slotsUsed", 0), coalesce(t.backlog, 0))
      order by o.id limit $2`,
    [bytes(after), limit],
  )
  return rows.map(({ id }) => id)
}
