import { createTestDatabase } from '@lathe/testing'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createDatabase, type Database, type Executor, sqlState } from './database.ts'
import { isAway } from './is-away.ts'

it('a write on a server that became a replica is temporary, and the next connection may reach the primary', async () => {
  await using own = new AsyncDisposableStack()
  const { url } = own.use(await createTestDatabase())
  const admin = own.adopt(new pg.Client({ connectionString: url }), (client) => client.end())
  await admin.connect()
  await admin.query('create table notes (n integer)')
  await admin.query('set default_transaction_read_only = off')
  const name = new URL(url).pathname.slice(1)
  const add = (db: Executor) => db.query('insert into notes values (1)')
  const ways: readonly ((database: Database) => Promise<unknown>)[] = [
    ({ pool }) => add(pool),
    (database) => database.transaction(add),
    (database) => database.atOnce(add),
    (database) => database.withConnection(add),
  ]
  for (const write of ways) {
    // What a replica says to writes; connections that are opened later may write, as on the new primary.
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    await using database = createDatabase({ url, connections: 1 })
    const error: unknown = await write(database).catch((cause: unknown) => cause)
    expect(sqlState(error)).toBe('25006')
    expect(isAway(error)).toBe(true)
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    await write(database)
  }
})
