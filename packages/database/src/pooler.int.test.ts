import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createTestDatabase, type StackPgBouncer, startPgBouncer } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database, sqlState } from './database.ts'
import { migrate } from './migrate.ts'
import { dropExpiredPartitions } from './partitions.ts'

const own = new AsyncDisposableStack()
let url: string
let pooler: StackPgBouncer

beforeAll(async () => {
  url = own.use(await createTestDatabase()).url
  const folder = own.adopt(await mkdtemp('/var/tmp/lathe-pooler-'), (made) =>
    rm(made, { recursive: true, force: true }),
  )
  await chmod(folder, 0o755)
  pooler = own.adopt(await startPgBouncer(folder, url, 2), async (server) => void (await server.stop()))
})
afterAll(() => own.disposeAsync())

const open = (timeoutMs = 10_000) =>
  createDatabase({ url: pooler.through(url), connections: 4, pooler: 'transaction', timeoutMs })

describe('behind a pooler in transaction mode', () => {
  it('statements of several processes share sessions', async () => {
    await using one = open()
    await using other = open()
    const ask = (db: Database, n: number) => db.pool.query<{ n: number }>(`select $1::int + ${n % 7} as n`, [n])
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const answers = await Promise.all(numbers.map((n) => ask(n % 2 ? one : other, n)))
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(numbers.map((n) => n + (n % 7)))
    const atOnce = await one.atOnce((tx) =>
      Promise.all([tx.query('select 1 as n'), tx.query('select $1::int as n', [2])]),
    )
    expect(atOnce.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]])
  })

  it('time limits are those of the process that asks, and none stays behind in a session', async () => {
    await using database = open(4_000)
    await using patient = open(60_000)
    const shown = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`
    const [short] = (await database.pool.query(shown)).rows
    expect(short).toEqual({ statement: '3s', lock: '3s', idle: '5s' })
    expect((await patient.transaction((tx) => tx.query(shown))).rows[0]).toMatchObject({ statement: '59s', lock: '6s' })
    expect((await database.transaction((tx) => tx.query(shown), { timeoutMs: 21_000 })).rows[0]).toMatchObject({
      statement: '20s',
      lock: '20s',
    })
    const slow = await database.pool.query('select pg_sleep(10)').catch((error: unknown) => error)
    expect(sqlState(slow)).toBe('57014')
    await using plain = createDatabase({ url: pooler.through(url), connections: 2, pooler: 'transaction' })
    const left = await plain.outsideTransactions((connection) => connection.query(shown), { timeoutMs: 5_000 })
    expect(left.rows[0]).toEqual({ statement: '0', lock: '0', idle: '0' })
  })

  it('work outside transactions is done, such as dropping partitions', async () => {
    await using database = open()
    const old = new Date(Date.now() - 48 * 3_600_000)
    await migrate(pooler.through(url), old)
    const drop = () =>
      database.outsideTransactions((one) => dropExpiredPartitions(one, new Date()), { timeoutMs: 20_000 })
    expect((await drop()).dropped.length).toBeGreaterThan(0)
    expect((await drop()).dropped).toEqual([])
  })

  it('processes that migrate at the same time apply each migration once, and leave no lock', async () => {
    await using direct = createDatabase({ url, connections: 2 })
    await direct.pool.query('alter table tasks drop column trace_parent')
    const latest = '0031_trace_parent.sql'
    await direct.pool.query('delete from schema_migrations where name = $1', [latest])
    const applied = await Promise.all([1, 2, 3].map(() => migrate(pooler.through(url))))
    expect(applied.flat()).toEqual([latest])
    const { rows } = await direct.pool.query(
      `select objid from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
    )
    expect(rows).toEqual([])
  })
})
