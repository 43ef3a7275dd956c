import type { PairRate } from '@lathe/domain'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Database, Executor } from '../database.ts'

/** All pairs from the last measurement. */
export async function listPairRates(db: Executor): Promise<readonly PairRate[]> {
  const { rows } = await db.query<PairRate>(
    `select operation, input_format as "from", output_format as "to", completed, failed, median_ms as "medianMs"
       from pair_rates`,
  )
  return rows
}

const days = 30
// More pairs than engines have; those with the most tasks are kept.
const mostPairs = 10_000
const newestTasks = 200_000
// The median of fewer tasks means little, and that of one would be the time of a single user's task.
const leastTimed = 5

/**
 * Counts come from the daily totals, owner by owner: so the primary key finds the 30 days among all that are kept, and
 * the end of a task need not write an index by day. Medians need single tasks: the newest 200,000 records are read
 * backwards along their ids, and for each completed conversion among them the format of its first input and of its
 * first file, each from the one partition that can contain it. Formats are determined as the worker did when it counted
 * the task. It took 4 s on two busy cores with 200,000 records, half of them conversions, and 2 million totals of 4,000
 * owners, 600,000 of them of the last 30 days.
 */
const measureSql = `with counted as (
    select operation, input_format, output_format, sum(own.completed) as completed, sum(own.failed) as failed
      from owners o cross join lateral (
        select operation, input_format, output_format, sum(completed) as completed, sum(failed) as failed
          from usage u
         where u.owner_id = o.id and u.day > (now() at time zone 'utc')::date - ${days}
           and input_format <> '' and output_format <> ''
         group by 1, 2, 3) own
     group by 1, 2, 3
    having sum(own.completed) + sum(own.failed) > 0
     order by sum(own.completed) + sum(own.failed) desc
     limit ${mostPairs}
  ), newest as materialized (
    select id, operation, pool, status, depends_on[1] as input_id, (times->>'engineMs')::float8 as ms
      from tasks order by id desc limit ${newestTasks}
  ), timed as (
    select operation, ms,
           (select f.format from files f where f.task_id = t.input_id order by f.n limit 1) as input_format,
           (select f.format from files f where f.task_id = t.id order by f.n limit 1) as output_format
      from newest t
     where status = 'completed' and pool = 'process' and ms is not null
  ), medians as (
    select operation, input_format, output_format, percentile_disc(0.5) within group (order by ms) as median_ms
      from timed group by 1, 2, 3 having count(*) >= ${leastTimed}
  )
  insert into pair_rates (operation, input_format, output_format, completed, failed, median_ms)
  select operation, input_format, output_format, completed, failed, median_ms
    from counted left join medians using (operation, input_format, output_format)`

const timeoutMs = 30_000

/**
 * Measures how tasks of each pair end, and replaces the previous measurement; returns the number of pairs. Returns 0
 * and changes nothing if the last measurement is less than an hour old, or another process is measuring.
 */
export async function measurePairRates(database: Pick<Database, 'transaction'>): Promise<number> {
  return database.transaction(async (tx) => ((await isDue(tx)) ? replaceRates(tx) : 0), { timeoutMs })
}

async function isDue(tx: Executor): Promise<boolean> {
  const lock = await tx.query<{ won: boolean }>('select pg_try_advisory_xact_lock($1) as won', [
    advisoryLocks.pairRates,
  ])
  if (!lock.rows[0]?.won) return false
  // Checked with the lock held, so that it sees what another process has just measured.
  const { rowCount } = await tx.query(`select from pair_rates where measured_at > now() - interval '1 hour' limit 1`)
  return rowCount === 0
}

async function replaceRates(tx: Executor): Promise<number> {
  // JIT compilation of the plan, with its many partitions, takes longer than running it.
  await tx.query('set local jit = off')
  await tx.query('delete from pair_rates')
  const { rowCount } = await tx.query(measureSql)
  return rowCount ?? 0
}
