import type { Database } from '@lathe/database'
import { rateOf } from '../parts/lanes.ts'

const commits = 3_000
const connections = 10

/** Commits per second of one inserted row each, over ten connections with the same cluster and client. */
export function commitRate(database: Database): Promise<number> {
  return withCommits(database, (commit) => rateOf(commits, connections, commit))
}

/** Runs `measure` with a function that commits one inserted row. */
export async function withCommits<T>(
  { pool }: Database,
  measure: (commit: () => Promise<void>) => Promise<T>,
): Promise<T> {
  await pool.query('create table if not exists bench_commits (n integer not null, note text not null)')
  const measured = await measure(async () => {
    await pool.query('insert into bench_commits (n, note) values ($1, $2)', [1, 'one row'])
  })
  await pool.query('truncate bench_commits')
  return measured
}
