import { type Executor, ensurePartitions, hourOf, insertWorker } from '@lathe/database'
import { firstIdAt, type ObjectId } from '@lathe/domain'
import { say } from '../parts/measure.ts'

const hourMs = 3_600_000
const hours = 24
const tasksPerJob = 3

/** The loaded rows and their owners. */
export interface Loaded {
  readonly tasks: number
  /** Owns a tenth of all rows. */
  readonly large: ObjectId
  /** Owns about one in two thousand rows. */
  readonly usual: ObjectId
  readonly workerId: ObjectId
  /** Tasks that can be claimed and belong to no job. */
  readonly claimable: readonly ObjectId[]
}

const owners = 1_000
const largeOwner = ownerId(0)
const workerId = 'ff'.repeat(12)

/**
 * Fills the partitions of the last 24 hours with jobs of three tasks, nearly all ended, and the last hour also with
 * tasks that wait to be claimed. Past hours are not written to PostgreSQL's write-ahead log: only reading them is
 * measured.
 */
export async function loadRows(
  db: Executor,
  { rows, claimable }: { rows: number; claimable: number },
): Promise<Loaded> {
  const now = Date.now()
  for (const back of [24, 17, 10, 3]) await ensurePartitions(db, new Date(now - back * hourMs))
  await db.query(`insert into owners (id, slots) select ${ownerSql('n')}, 10 from generate_series(0, $1::int - 1) n`, [
    owners,
  ])
  await insertWorker(db, { id: workerId, host: 'bench', pools: ['process'], sandboxLevel: 3 })
  const jobsPerHour = Math.ceil(rows / hours / tasksPerJob)
  for (let back = hours - 1; back >= 0; back -= 1) {
    const startS = Math.floor(now / hourMs - back) * 3600
    await loadHour(db, { startS, jobs: jobsPerHour, isPast: back > 0, untilS: Math.floor(now / 1000) })
    say(`rows: ${(hours - back) * jobsPerHour * tasksPerJob} of ${rows} tasks loaded`)
  }
  const waiting = await loadClaimable(db, Math.floor(now / 1000) - 60, claimable)
  return {
    tasks: jobsPerHour * tasksPerJob * hours,
    large: largeOwner,
    usual: ownerId(500),
    workerId,
    claimable: waiting,
  }
}

interface Hour {
  readonly startS: number
  readonly untilS: number
  readonly jobs: number
  readonly isPast: boolean
}

async function loadHour(db: Executor, { startS, untilS, jobs, isPast }: Hour): Promise<void> {
  const hour = hourOf(firstIdAt(new Date(startS * 1000)))
  if (isPast) for (const table of ['jobs', 'tasks']) await db.query(`alter table ${table}_p${hour} set unlogged`)
  const span = Math.min(3600, untilS - startS)
  // One owner has a tenth; among the others, the first ones have more than the last.
  await db.query(
    `
    with made as materialized (
      select n, $1::bigint + n * $2::bigint / $3::bigint as s,
             ${ownerSql(`case when n % 10 = 0 then 0 else (1 + ${owners - 1} * power(random(), 2))::int end`)} as owner
        from generate_series(0, $3::int - 1) n
    ), job as (
      insert into jobs_p${hour} (id, owner_id, user_id, tag, status, remaining, seq, created_at, started_at, ended_at, updated_at)
      select ${idSql('s', 0, 'n')}, owner, owner, 'tag' || n % 47, case when n % 47 = 7 then 'failed' else 'completed' end,
             0, 6, to_timestamp(s), to_timestamp(s), to_timestamp(s + 2), to_timestamp(s + 2)
        from made
    )
    insert into tasks_p${hour} (id, job_id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on,
                                pending, slot, seq, created_at, started_at, ended_at, updated_at)
    select ${idSql('s', 1, 'n * 3 + k')}, ${idSql('s', 0, 'n')}, owner, owner, k,
           (array['import-1', 'convert-1', 'export-1'])[k + 1], (array['import/url', 'convert', 'export/url'])[k + 1],
           (array['transfer', 'process', 'transfer'])[k + 1], case when n % 47 = 7 and k = 1 then 'failed' else 'completed' end,
           '{"input":["import-1"],"output_format":"webp","options":{"quality":80}}'::jsonb, '{}', 0, false, 2,
           to_timestamp(s), to_timestamp(s + 1), to_timestamp(s + 2), to_timestamp(s + 2)
      from made, generate_series(0, 2) k`,
    [startS, span, jobs],
  )
  await db.query(`analyze jobs_p${hour}, tasks_p${hour}`)
}

async function loadClaimable(db: Executor, second: number, count: number): Promise<readonly ObjectId[]> {
  const hour = hourOf(firstIdAt(new Date(second * 1000)))
  const { rows } = await db.query<{ id: ObjectId }>(
    `
    insert into tasks_p${hour} (id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending,
                                slot, seq, created_at, updated_at)
    select ${idSql('$1::bigint', 2, 'n')}, ${ownerSql('n % 500')}, ${ownerSql('n % 500')}, 0, 'convert-1', 'convert', 'process', 'created', '{}'::jsonb,
           '{}', 0, true, 1, now(), now()
      from generate_series(1, $2::int) n
    returning id`,
    [second, count],
  )
  return rows.map(({ id }) => id)
}

function ownerId(n: number): ObjectId {
  return `01${n.toString(16).padStart(22, '0')}`
}

const ownerSql = (n: string) => `decode('01' || lpad(to_hex((${n})::int), 22, '0'), 'hex')`

/** An id from a second, a kind and a number: 4, 2 and 6 bytes. */
const idSql = (second: string, kind: number, n: string) =>
  `decode(lpad(to_hex(${second}), 8, '0') || '000${kind}' || lpad(to_hex(${n}), 12, '0'), 'hex')`

/** The size of the tables with their indexes. */
export async function databaseBytes(db: Executor): Promise<number> {
  const { rows } = await db.query<{ size: number }>(`select pg_database_size(current_database())::float8 as size`)
  return rows[0]?.size ?? 0
}
