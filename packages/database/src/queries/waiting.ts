import type { EngineFamily, Lane, ObjectId, RecentRun } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A task that has not started, and why. */
export interface WaitingTask {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly operation: string
  readonly to: string | null
  readonly pool: string
  readonly lane: Lane
  readonly needs: EngineFamily | null
  /** How many of its inputs have not completed. */
  readonly pending: number
  readonly slot: boolean
}

/** Those of some tasks that have not started. */
export async function findWaiting(db: Executor, ids: readonly ObjectId[]): Promise<WaitingTask[]> {
  const { rows } = await db.query<WaitingTask>(
    `select id, owner_id as "ownerId", operation, payload ->> 'output_format' as "to", pool, lane, needs, pending, slot
       from tasks where id = any($1::bytea[]) and status = 'created'`,
    [manyBytes(ids)],
  )
  return rows
}

interface Sample {
  readonly since: ObjectId
  readonly most: number
}

/** An owner's first ready tasks without a slot, in the order in which they get one. */
export async function findBacklog(
  db: Executor,
  { ownerId, since, most }: Sample & { readonly ownerId: ObjectId },
): Promise<ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select id from tasks where owner_id = $1 and id >= $2 and status = 'created' and pending = 0 and not slot
      order by id limit $3`,
    [bytes(ownerId), bytes(since), most],
  )
  return rows.map(({ id }) => id)
}

/** A task that has a slot and waits for a worker, by its queue. */
export type QueuedTask = Pick<WaitingTask, 'id' | 'lane' | 'needs'>

/** The oldest tasks of a pool that wait for a worker. */
export async function findQueued(
  db: Executor,
  { pool, since, most }: Sample & { readonly pool: string },
): Promise<QueuedTask[]> {
  const { rows } = await db.query<QueuedTask>(
    `select id, lane, needs from tasks where pool = $1 and id >= $2 and slot and worker_id is null order by id limit $3`,
    [pool, bytes(since), most],
  )
  return rows
}

/** A run, by the queue the task waited in. */
export type PoolRun = RecentRun & Pick<WaitingTask, 'pool' | 'lane' | 'needs'>

const runColumns = `operation, payload ->> 'output_format' as "to", pool, lane, needs, started_at as "startedAt",
  case when status = 'completed' then extract(epoch from ended_at - started_at)::float8 * 1000 end as "tookMs"`

/** The most recent started tasks among those created before a given one, of one owner or of all. Reads few rows. */
export async function findRuns(
  db: Executor,
  { ownerId, since, before, most }: Sample & { readonly ownerId?: ObjectId; readonly before: ObjectId },
): Promise<PoolRun[]> {
  const { rows } = await db.query<PoolRun>(
    `select * from (
       select ${runColumns} from tasks where id >= $1 and id < $2 ${ownerId ? 'and owner_id = $4' : ''}
        order by id desc limit $3) newest
      where "startedAt" is not null`,
    [bytes(since), bytes(before), most, ...(ownerId ? [bytes(ownerId)] : [])],
  )
  return rows
}
