import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from './database.ts'
import { testServices } from './services.ts'

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('createTestDatabase', () => {
  it('gives every caller a migrated database of its own', async () => {
    await using first = await createTestDatabase()
    await using second = await createTestDatabase()
    await query(first.url, 'create table mine (id int)')
    expect(await query(first.url, `select to_regclass('mine') is not null as here`)).toEqual([{ here: true }])
    expect(await query(second.url, `select to_regclass('mine') is not null as here`)).toEqual([{ here: false }])
    expect(await query(second.url, `select to_regclass('tasks') is not null as here`)).toEqual([{ here: true }])
  })

  it('supports many simultaneous callers', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()))
    expect(new Set(made.map(({ url }) => url)).size).toBe(4)
    await Promise.all(made.map((database) => database[Symbol.asyncDispose]()))
  })

  it('is gone after disposal', async () => {
    const database = await createTestDatabase()
    const name = new URL(database.url).pathname.slice(1)
    await database[Symbol.asyncDispose]()
    const left = await query(testServices().databaseUrl, `select from pg_database where datname = '${name}'`)
    expect(left).toEqual([])
  })

  it('fails for a connection left open', async () => {
    const database = await createTestDatabase()
    const leaked = new pg.Client({ connectionString: database.url })
    leaked.on('error', () => {})
    await leaked.connect()
    await expect(database[Symbol.asyncDispose]()).rejects.toThrow('1 connection(s)')
  })
})
