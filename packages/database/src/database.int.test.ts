import { createTestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database, type Executor, sqlState } from './database.ts'

const own = new AsyncDisposableStack()
let database: Database

beforeAll(async () => {
  const { url } = own.use(await createTestDatabase())
  database = own.use(createDatabase({ url, connections: 4 }))
  await database.pool.query('create table notes (n integer primary key check (n < 100))')
})
afterAll(() => own.disposeAsync())

const add = (db: Executor, n: number) => db.query('insert into notes (n) values ($1)', [n])

async function notes(): Promise<number[]> {
  const { rows } = await database.pool.query<{ n: number }>('select n from notes order by n')
  return rows.map(({ n }) => n)
}

describe('a transaction', () => {
  it('runs queries sent together in the order they were sent', async () => {
    await database.pool.query('truncate notes')
    const [, seen] = await database.transaction((tx) =>
      Promise.all([add(tx, 1), tx.query<{ n: number }>('select n from notes'), add(tx, 2)]),
    )
    expect(seen.rows).toEqual([{ n: 1 }])
    expect(await notes()).toEqual([1, 2])
  })

  it('rolls back queries sent together with one that failed', async () => {
    await database.pool.query('truncate notes')
    const failed = database.transaction((tx) => Promise.all([add(tx, 1), add(tx, 100), add(tx, 2)]))
    expect(sqlState(await failed.catch((error: unknown) => error))).toBe('23514')
    expect(await notes()).toEqual([])
    await database.transaction((tx) => add(tx, 3))
    expect(await notes()).toEqual([3])
  })

  it('fails with the first error, even if a later one is reported before it', async () => {
    const deep = async (tx: Executor) => (async () => (async () => add(tx, 100))())()
    const failed = database.transaction((tx) => Promise.all([deep(tx), tx.query('select 1')]))
    expect(sqlState(await failed.catch((error: unknown) => error))).toBe('23514')
  })

  it('refuses a query after its end, which would run outside it', async () => {
    await database.pool.query('truncate notes')
    let late: Executor | undefined
    await database.transaction(async (tx) => {
      late = tx
    })
    expect(() => late && add(late, 1)).toThrow('has ended')
    expect(await notes()).toEqual([])
  })
})
