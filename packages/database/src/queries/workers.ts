import { type EngineFamily, type Lane, type ObjectId, workerSilenceMs } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import type { Fence } from './leases.ts'

export interface WorkerInsert {
  readonly id: ObjectId
  readonly host: string
  readonly pools: readonly string[]
  readonly sandboxLevel: number
  /** The families of engines it does not serve. Default: none. */
  readonly lacks?: readonly EngineFamily[]
  /** How many engines it can run at once. Default: it runs none. */
  readonly engines?: number
  /** The version of the catalog that it knows. Default: the first. */
  readonly catalogVersion?: number
}

export async function insertWorker(db: Executor, worker: WorkerInsert): Promise<void> {
  const { id, host, pools, sandboxLevel, lacks = [], engines = null, catalogVersion = 1 } = worker
  await db.query(
    `insert into workers (id, host, pools, sandbox_level, lacks, engines, catalog_version)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [bytes(id), host, pools, sandboxLevel, lacks, engines, catalogVersion],
  )
}

/**
 * Records a heartbeat. Returns false if the worker was declared dead and must start again with a new id. Losing the
 * last of these in a crash does no harm, so the commit does not wait for the disk.
 */
export async function beat(tx: Executor, id: ObjectId): Promise<boolean> {
  await tx.query(`set local synchronous_commit = off`)
  const { rowCount } = await tx.query(`update workers set heartbeat_at = now() where id = $1 and ended_at is null`, [
    bytes(id),
  ])
  return rowCount === 1
}

/** Declares workers dead that sent no heartbeat for too long, and returns their ids. */
export async function endSilentWorkers(db: Executor): Promise<ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `update workers set ended_at = now(), ended_by = 'silence'
      where ended_at is null and heartbeat_at < now() - $1 * interval '1 millisecond' returning id`,
    [workerSilenceMs],
  )
  return rows.map(({ id }) => id)
}

export async function endWorker(db: Executor, id: ObjectId): Promise<void> {
  await db.query(`update workers set ended_at = now(), ended_by = 'itself' where id = $1 and ended_at is null`, [
    bytes(id),
  ])
}

/** The lowest sandbox level of running workers, or null if no worker that runs engines is running. */
export async function findLowestSandboxLevel(db: Executor): Promise<number | null> {
  const { rows } = await db.query<{ level: number | null }>(
    `select min(sandbox_level) as level from workers
      where ended_at is null and 'process' = any(pools) and heartbeat_at > now() - $1 * interval '1 millisecond'`,
    [workerSilenceMs],
  )
  return rows[0]?.level ?? null
}

/** A lease of a dead worker. */
export interface OrphanedLease extends Fence {
  readonly workerDeaths: number
  readonly pool: string
  readonly lane: Lane
  /** Whether an engine may have been running. */
  readonly isAtWork: boolean
}

/** Leases of workers that have ended, for whatever reason, by id after the given one. */
export async function findLeasesOfTheDead(
  db: Executor,
  { since, after, limit }: { readonly since: ObjectId; readonly after: ObjectId; readonly limit: number },
): Promise<readonly OrphanedLease[]> {
  const { rows } = await db.query<OrphanedLease>(
    `select t.id as "taskId", t.attempt, t.worker_id as "workerId", t.worker_deaths as "workerDeaths", t.pool,
            t.lane, t.engine_at is distinct from 'infinity' as "isAtWork"
       from workers w
       join tasks t on t.worker_id = w.id and t.status = 'processing' and t.id >= $1
      where w.ended_at is not null and t.id > $2 order by t.id limit $3`,
    [bytes(since), bytes(after), limit],
  )
  return rows
}

/** Deletes workers that ended more than a day ago. */
export async function forgetWorkers(db: Executor): Promise<void> {
  await db.query(`delete from workers where ended_at < now() - interval '1 day'`)
}
