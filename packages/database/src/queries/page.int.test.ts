import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { firstIdAt, type ObjectId } from '@lathe/domain'
import { startPostgres } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytes } from '../bytes.ts'
import { createDatabase, type Database, type Executor } from '../database.ts'
import { migrate } from '../migrate.ts'
import { ensurePartitions } from '../partitions.ts'
import { listJobs } from './read-jobs.ts'
import { listTasks } from './read-tasks.ts'

const stack = new AsyncDisposableStack()
const hour = 3_600_000
const ownerId = firstIdAt(new Date(0)).replace(/0$/, '1')
const now = new Date()
let database: Database

/** A PostgreSQL with default settings, the partitions of a service that has run for days, and 500 tasks over a day. */
beforeAll(async () => {
  const folder = await mkdtemp('/var/tmp/lathe-page-')
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const postgres = stack.use(await startPostgres(folder, { max_connections: 100 }))
  await migrate(postgres.url)
  database = stack.use(createDatabase({ url: postgres.url, connections: 60 }))
  for (let age = 26; age >= 0; age -= 6) await ensurePartitions(database.pool, new Date(now.getTime() - age * hour))
  await database.pool.query(`insert into owners (id, slots) values ($1, 4)`, [bytes(ownerId)])
  await database.pool.query(
    `insert into tasks (id, owner_id, user_id, name, operation, status, payload, pool, position, depends_on, pending, slot, seq, created_at, updated_at)
     select decode(lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || lpad(to_hex(n), 16, '0'), 'hex'),
            $1, $1, 'a', 'convert', 'canceled', '{}', 'x', 0, '{}', 0, false, 1, at, at
       from (select n, $2::timestamptz - n * interval '170 seconds' as at from generate_series(1, 500) n) made`,
    [bytes(ownerId), now],
  )
}, 120_000)
afterAll(() => stack.disposeAsync())

const list = (paging: { limit: number; offset: number; after?: ObjectId; before?: ObjectId }) =>
  listTasks(database.pool, { ownerId, now, ...paging })

/** How many locks a list may hold at a time: the most of one statement, times the number of concurrent statements. */
async function locksOf(list: (db: Executor) => Promise<unknown>): Promise<number> {
  let [underWay, mostUnderWay, mostLocks] = [0, 0, 0]
  const query = (...args: Parameters<Executor['query']>) => {
    mostUnderWay = Math.max(mostUnderWay, ++underWay)
    return database
      .transaction(async (tx) => {
        const answer = await tx.query(...args)
        const { rows } = await tx.query<{ locks: number }>(
          'select count(*)::int as locks from pg_locks where pid = pg_backend_pid()',
        )
        mostLocks = Math.max(mostLocks, rows[0]?.locks ?? 0)
        return answer
      })
      .finally(() => (underWay -= 1))
  }
  await list({ query: query as unknown as Executor['query'] })
  return mostUnderWay * mostLocks
}

describe('lists', () => {
  it('R15: 50 at once need no more locks than PostgreSQL has by default', async () => {
    const { rows } = await database.pool.query('show max_locks_per_transaction')
    expect(rows).toEqual([{ max_locks_per_transaction: '64' }])
    // 64 for each of 100 connections, so 128 for each of 50 lists.
    const tasks = (db: Executor) => listTasks(db, { ownerId, now, limit: 200, offset: 300 })
    const jobs = (db: Executor) => listJobs(db, { ownerId, now, limit: 9, offset: 0 })
    // Often enough for PostgreSQL to try a generic plan.
    for (let round = 0; round < 8; round += 1) {
      const pages = await Promise.all(Array.from({ length: 50 }, () => tasks(database.pool)))
      for (const { docs, total } of pages) expect([docs.length, total]).toEqual([200, 500])
      await Promise.all(Array.from({ length: 50 }, () => jobs(database.pool)))
    }
    expect(await locksOf(tasks)).toBeLessThanOrEqual(128)
    expect(await locksOf(jobs)).toBeLessThanOrEqual(128)
  })

  it('R15: are complete and in order over all partitions, by page and by cursor, in both directions', async () => {
    const { docs: all } = await list({ limit: 1000, offset: 0 })
    const ids = all.map(({ id }) => id)
    expect(ids).toHaveLength(500)
    expect(ids).toEqual([...ids].sort().reverse())
    const seen: ObjectId[] = []
    for (let offset = 0; ; offset += 70) {
      const { docs, hasNext, total } = await list({ limit: 70, offset })
      seen.push(...docs.map(({ id }) => id))
      expect(total).toBe(500)
      if (!hasNext) break
    }
    expect(seen).toEqual(ids)
    const middle = ids[249] ?? ''
    const next = await list({ limit: 170, offset: 0, after: middle })
    expect(next.docs.map(({ id }) => id)).toEqual(ids.slice(250, 420))
    expect(next).toMatchObject({ skipped: 250, hasNext: true, total: 500 })
    const previous = await list({ limit: 170, offset: 0, before: middle })
    expect(previous.docs.map(({ id }) => id)).toEqual(ids.slice(79, 249))
    expect(previous).toMatchObject({ skipped: 79, hasNext: true, total: 500 })
    expect(await list({ limit: 10, offset: 500 })).toMatchObject({ docs: [], total: 500, hasNext: false })
  })
})
