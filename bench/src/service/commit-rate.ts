import type { Database } from '@lathe/database'
import { rateOf } from '../parts/lanes.ts'

const commits = 3_000
const connections = 10

/** Commits a second of one inserted row each, over ten connections of the same cluster and the same client. */
export async function commitRate({ pool }: Database): Promise<number> {
  await pool.query('create table if not exists bench_commits (n integer not null, note text not null)')
  const rate = await rateOf(commits, connections, async (i) => {
    await pool.query('insert into bench_commits (n, note) values ($1, $2)', [i, 'one row'])
  })
  await pool.query('truncate bench_commits')
  return rate
}
