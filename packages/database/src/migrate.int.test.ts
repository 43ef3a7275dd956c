import { createTestDatabase } from '@lathe/testing'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sqlState } from './database.ts'
import { migrate } from './migrate.ts'

const own = new AsyncDisposableStack()
let url: string
let other: pg.Client

const latest = '0031_trace_parent.sql'

beforeAll(async () => {
  url = own.use(await createTestDatabase()).url
  other = own.adopt(new pg.Client({ connectionString: url }), (client) => client.end())
  await other.connect()
})
afterAll(() => own.disposeAsync())
// The state before the last migration, which needs a lock on a table that others use.
beforeEach(async () => {
  await other.query('alter table tasks drop column if exists trace_parent')
  await other.query('delete from schema_migrations where name = $1', [latest])
})

it('a migration waits briefly for a lock, lets others proceed, and retries until it gets it', async () => {
  await other.query('begin')
  await other.query('select count(*) from tasks')
  const migrating = migrate(url, new Date(), { lockMs: 200, tries: 60 })
  const reader = new pg.Client({ connectionString: `${url}?options=-c%20statement_timeout%3D20000` })
  await reader.connect()
  for (let n = 0; n < 3; n += 1) await reader.query('select count(*) from tasks')
  await reader.end()
  await other.query('commit')
  expect(await migrating).toEqual([latest])
})

it('a migration that never gets its lock fails and leaves nothing behind', async () => {
  await other.query('begin')
  await other.query('select count(*) from tasks')
  const error: unknown = await migrate(url, new Date(), { lockMs: 50, tries: 2 }).catch((cause: unknown) => cause)
  await other.query('commit')
  expect(sqlState(error)).toBe('55P03')
  expect((await other.query('select 1 from schema_migrations where name = $1', [latest])).rowCount).toBe(0)
})

it('names of migrations that only a newer release knows are left alone', async () => {
  await other.query(`insert into schema_migrations (name) values ('9999_from_the_future.sql')`)
  expect(await migrate(url)).toEqual([latest])
  expect(await migrate(url)).toEqual([])
})
