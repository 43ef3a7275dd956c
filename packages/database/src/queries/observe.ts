import { type EngineFamily, type Lane, type ObjectId, workerSilenceMs } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** Tasks of one queue that hold a slot and wait for a worker. */
export interface QueueState {
  readonly pool: string
  readonly lane: Lane
  /** The family of engines they need; null if it is not known yet. */
  readonly family: EngineFamily | null
  readonly waiting: number
  readonly oldestMs: number
}

interface Sample {
  readonly since: ObjectId
  /** At most this many rows are read: a count that reaches it means "at least". */
  readonly most: number
}

/** The oldest waiting tasks of some pools, counted per queue. Reads only an index of waiting tasks. */
export async function readQueues(
  db: Executor,
  { pools, since, most }: Sample & { readonly pools: readonly string[] },
): Promise<QueueState[]> {
  const { rows } = await db.query<QueueState>(
    `select s.pool, s.lane, s.needs as family, count(*)::int as waiting,
            greatest(0, extract(epoch from now() - min(s.ready_at)) * 1000)::float8 as "oldestMs"
       from unnest($1::text[]) as p(pool), lateral (
         select t.pool, t.lane, t.needs, greatest(t.updated_at, t.not_before) as ready_at from tasks t
          where t.pool = p.pool and t.id >= $2 and t.slot and t.worker_id is null
            and (t.not_before is null or t.not_before <= now())
          order by t.id limit $3) s
      group by 1, 2, 3`,
    [pools, bytes(since), most],
  )
  return rows
}

/** Ready tasks that wait for a slot of their owner. */
export interface BacklogState {
  readonly tasks: number
  readonly owners: number
  /** Of the owner with the most. */
  readonly largest: number
}

/** How many ready tasks have no slot, and how they are spread over owners. Reads only an index of such tasks. */
export async function readBacklog(db: Executor, { since, most }: Sample): Promise<BacklogState> {
  const { rows } = await db.query<BacklogState>(
    `with sample as (
       select owner_id from tasks where id >= $1 and status = 'created' and pending = 0 and not slot limit $2
     ), of_owner as (select count(*)::int as tasks from sample group by owner_id)
     select coalesce(sum(tasks), 0)::int as tasks, count(*)::int as owners, coalesce(max(tasks), 0) as largest
       from of_owner`,
    [bytes(since), most],
  )
  return rows[0] ?? { tasks: 0, owners: 0, largest: 0 }
}

/** Running workers, by sandbox level. */
export async function countWorkers(db: Executor): Promise<{ readonly sandboxLevel: number; readonly count: number }[]> {
  const { rows } = await db.query<{ sandboxLevel: number; count: number }>(
    `select sandbox_level as "sandboxLevel", count(*)::int as count from workers
      where ended_at is null and heartbeat_at > now() - $1 * interval '1 millisecond' group by 1`,
    [workerSilenceMs],
  )
  return rows
}

/** Webhook deliveries that are due, and how long the oldest of them has been. */
export async function readDueDeliveries(
  db: Executor,
  most: number,
): Promise<{ readonly due: number; readonly oldestMs: number }> {
  const { rows } = await db.query<{ due: number; oldestMs: number }>(
    `select count(*)::int as due,
            coalesce(greatest(0, extract(epoch from now() - min(due_at)) * 1000), 0)::float8 as "oldestMs"
       from (select due_at from webhook_deliveries where status = 'pending' limit $1) pending
      where due_at <= now()`,
    [most],
  )
  return rows[0] ?? { due: 0, oldestMs: 0 }
}

/** For how long the oldest transaction of this database has been open: until it ends, dead rows cannot be removed. */
export async function oldestTransactionMs(db: Executor): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    `select coalesce(extract(epoch from now() - min(xact_start)) * 1000, 0)::float8 as ms
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return Math.max(0, rows[0]?.ms ?? 0)
}
